import { folded, wordsOf } from "../../../kit/words.js";

/** Legal forms that follow a name, as they are written. Longer forms are tried first. */
const following: readonly string[] = [
  ..."Inc|Incorporated|Corp|Corporation|Co|Company|Ltd|Limited|LLC|L.L.C.|LLP|LP|PLC|Public Limited Company".split("|"),
  ..."Co Ltd|Company Limited|Co Inc|Pte Ltd|Private Limited|Pvt Ltd|Pty Ltd|Pty Limited|Limited Liability Company".split(
    "|",
  ),
  ..."Joint Stock Company|Public Joint Stock Company|Open Joint Stock Company|Closed Joint Stock Company".split("|"),
  ..."JSC|PJSC|OJSC|CJSC|GmbH|GmbH & Co KG|GmbH & Co KGaA|AG|AG & Co KGaA|KG|KGaA|OHG|UG|eG|SE|SE & Co KGaA".split("|"),
  ..."SA|S.A.|SAS|S.A.S.|SASU|SARL|S.à r.l.|SCA|SNC|SRL|S.r.l.|SpA|S.p.A.|SL|S.L.|SLU|Ltda|Ltda.|EIRELI".split("|"),
  ..."SA de CV|S.A. de C.V.|SAB de CV|S.A.B. de C.V.|S de RL de CV|NV|N.V.|BV|B.V.|Oy|Oyj|Oyj Abp|Abp|AB|AB publ".split(
    "|",
  ),
  ..."A/S|ApS|ASA|AS|hf|ehf|Sp z o.o.|Spółka Akcyjna|a.s.|s.r.o.|spol s r.o.|d.o.o.|d.d.|Kft|Zrt|Nyrt|AD|EAD|OOD|EOOD".split(
    "|",
  ),
  ..."A.Ş.|Anonim Şirketi|Tic A.Ş.|KK|K.K.|Kabushiki Kaisha|Godo Kaisha|Bhd|Sdn Bhd|Tbk|PT|JLT|FZE|FZCO|WLL|SAL|SAOG|KSCP|QPSC".split(
    "|",
  ),
  ..."株式会社|有限会社|合同会社|有限公司|股份有限公司|有限责任公司|集团有限公司|집단|주식회사".split("|"),
];

/** Legal forms that precede a name. */
const preceding: readonly string[] = [
  ..."PT|OOO|OAO|ZAO|PAO|AO|TOO|OJSC|JSC|PJSC|LLC|Limited Liability Company|Joint Stock Company".split("|"),
  ..."Public Joint Stock Company|Open Joint Stock Company|Closed Joint Stock Company|株式会社|有限会社|주식회사".split(
    "|",
  ),
];

const FORM_WORDS_MAX = 8;

type Forms = ReadonlyMap<number, ReadonlySet<string>>;

/** The forms by their number of words. */
function byLength(forms: readonly string[]): Forms {
  const lengths = new Map<number, Set<string>>();
  for (const form of forms) {
    const words = wordsOf(form, FORM_WORDS_MAX).map((word) => folded(word.written.replaceAll(".", "")));
    const own = lengths.get(words.length) ?? new Set();
    lengths.set(words.length, own.add(words.join(" ")));
  }
  return new Map([...lengths].sort(([a], [b]) => b - a));
}

const followingForms = byLength(following);
const precedingForms = byLength(preceding);

/** Names carry at most a few forms, such as `Holding GmbH & Co. KG`. */
const FORMS_MAX = 3;

/** The folded words of a name without its legal forms. A name that consists of forms alone keeps its words. */
export function withoutLegalForms(words: readonly string[]): readonly string[] {
  let left = words;
  for (let form = 0; form < FORMS_MAX; form += 1) {
    const shorter = withoutFollowing(left) ?? withoutPreceding(left);
    if (shorter === undefined) break;
    left = shorter;
  }
  return left;
}

function withoutFollowing(words: readonly string[]): readonly string[] | undefined {
  for (const [length, forms] of followingForms) {
    if (length < words.length && forms.has(words.slice(-length).join(" "))) return words.slice(0, -length);
  }
  return undefined;
}

function withoutPreceding(words: readonly string[]): readonly string[] | undefined {
  for (const [length, forms] of precedingForms) {
    if (length < words.length && forms.has(words.slice(0, length).join(" "))) return words.slice(length);
  }
  return undefined;
}
