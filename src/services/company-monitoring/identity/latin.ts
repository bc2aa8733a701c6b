const cyrillic =
  "а:a б:b в:v г:g ґ:g д:d е:e ё:e є:ye ж:zh з:z и:i і:i ї:yi й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya ў:u ђ:dj ј:j љ:lj њ:nj ћ:c џ:dz ѓ:g ќ:k ѕ:dz";
const greek = "α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o";

const latinOf: ReadonlyMap<string, string> = new Map(
  `${cyrillic} ${greek}`.split(" ").map((pair) => {
    const [letter = "", latin = ""] = pair.split(":");
    return [letter, latin];
  }),
);

const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;

/**
 * Transliterates Cyrillic and Greek letters to lower-case Latin letters, as company registers do. Other scripts stay as
 * they are, because names in those scripts cannot be transliterated letter by letter.
 */
export function inLatin(text: string): string {
  return text.replace(FOREIGN, (letter) => {
    const lower = letter.toLowerCase();
    return latinOf.get(lower) ?? latinOf.get(lower.normalize("NFD").slice(0, 1)) ?? letter;
  });
}
