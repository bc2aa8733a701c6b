import fc from "fast-check";

/** Names for both documents and expressions. There are only a few, so that they often match. */
const name = fc.constantFrom("a", "b", "c", "d");
const text = fc.constantFrom("", "a", "b", "ab", "ba", "aa", "10", "9", "x y", "é", "😀");
const number = fc.constantFrom(0, 1, 2, 9, 10, -1, 0.5, 1e21);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));

/**
 * Small JSON documents. As in real data, the elements of a list are often of one type. Objects often have the members
 * that an expression names.
 */
export const jsonDocument: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  document: fc.oneof({ weight: 9, arbitrary: tie("object") }, { weight: 1, arbitrary: tie("value") }),
  object: fc.record({ a: tie("value"), b: tie("value"), c: tie("value"), d: tie("value") }, { noNullPrototype: true }),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 1, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(number, { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.array(text, { maxLength: 4 }) },
    { weight: 3, arbitrary: fc.array(tie("object"), { maxLength: 3 }) },
    { weight: 3, arbitrary: tie("object") },
    { weight: 1, arbitrary: fc.dictionary(name, tie("value"), { maxKeys: 2, noNullPrototype: true }) },
  ),
})).document;

const index = fc.integer({ min: -3, max: 4 }).map(String);
const bound = fc.oneof(index, fc.constant(""));
const literal = fc.oneof(
  scalar.map((value) => `\`${JSON.stringify(value)}\``),
  fc.constantFrom("`[1, 2]`", '`{"a": 1}`', "`[]`", "`{}`", "'a'", "'ab'", "'it\\'s'", "'10'", "''"),
);
/**
 * Comparators. `==` and `!=` are more frequent. The results of the other comparators often differ from those of the
 * `jmespath` package, because that package also orders values that are not numbers.
 */
const comparator = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("==", "!=") },
  { weight: 1, arbitrary: fc.constantFrom("<", "<=", ">", ">=") },
);

/**
 * Functions of one value, of two values, and of a list and an expression. The functions in `unaryRare` are called less
 * often, because most of them accept few types.
 */
const unary = fc.constantFrom("type", "to_array", "to_string", "not_null", "length", "keys", "values", "abs", "floor");
const unaryRare = fc.constantFrom("ceil", "sum", "avg", "max", "min", "sort", "reverse", "to_number", "merge", "nope");
const binary = fc.constantFrom("contains", "starts_with", "ends_with", "join", "merge", "not_null", "abs");
const byElement = fc.constantFrom("sort_by", "max_by", "min_by");

/** Expressions of the whole language, combined without regard to precedence or types. */
export const jmespathExpression: fc.Arbitrary<string> = fc.letrec<{ expression: string; call: string }>((tie) => {
  const inner = tie("expression");
  const join = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((texts) => texts.join(""));
  const sign = (value: string): fc.Arbitrary<string> => fc.constant(value);
  return {
    expression: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      { weight: 6, arbitrary: name },
      { weight: 1, arbitrary: fc.constantFrom("@", '"a"', "*", "[*]", "[]", "[0]", "[::-1]") },
      { weight: 2, arbitrary: literal },
      { weight: 4, arbitrary: join(inner, sign("."), name) },
      { weight: 3, arbitrary: join(inner, sign("["), index, sign("]")) },
      { weight: 2, arbitrary: join(inner, sign("["), bound, sign(":"), bound, sign("]")) },
      { weight: 1, arbitrary: join(inner, sign("["), bound, sign(":"), bound, sign(":"), bound, sign("]")) },
      { weight: 4, arbitrary: join(inner, fc.constantFrom("[*]", "[]", ".*")) },
      { weight: 4, arbitrary: join(inner, fc.constantFrom("[*].", "[].", ".*."), name) },
      { weight: 4, arbitrary: join(inner, sign("[?"), inner, sign("]")) },
      { weight: 2, arbitrary: join(inner, sign(".["), inner, sign(", "), inner, sign("]")) },
      { weight: 2, arbitrary: join(inner, sign(".{"), name, sign(": "), inner, sign("}")) },
      { weight: 2, arbitrary: join(sign("["), inner, sign(", "), inner, sign("]")) },
      {
        weight: 2,
        arbitrary: join(sign("{"), name, sign(": "), inner, sign(", "), name, sign(": "), inner, sign("}")),
      },
      { weight: 2, arbitrary: join(sign("("), inner, sign(")")) },
      { weight: 2, arbitrary: join(sign("!"), inner) },
      { weight: 4, arbitrary: join(inner, fc.constantFrom(" && ", " || ", " | "), inner) },
      { weight: 3, arbitrary: join(inner, sign(" "), comparator, sign(" "), inner) },
      { weight: 8, arbitrary: tie("call") },
    ),
    call: fc.oneof(
      { weight: 6, arbitrary: join(unary, sign("("), inner, sign(")")) },
      { weight: 3, arbitrary: join(unaryRare, sign("("), inner, sign(")")) },
      { weight: 2, arbitrary: join(binary, sign("("), inner, sign(", "), inner, sign(")")) },
      { weight: 2, arbitrary: join(sign("map(&"), inner, sign(", "), inner, sign(")")) },
      { weight: 2, arbitrary: join(byElement, sign("("), inner, sign(", &"), inner, sign(")")) },
    ),
  };
}).expression;

const soupPiece = fc.constantFrom(
  "a",
  "b",
  '"c"',
  "@",
  "*",
  ".",
  "[",
  "]",
  "[?",
  "[]",
  "[*]",
  "[0]",
  "[1:]",
  "(",
  ")",
  "{",
  "}",
  ",",
  ":",
  "&",
  "&&",
  "||",
  "|",
  "!",
  "==",
  "<",
  "=",
  "1",
  "-1",
  "`1`",
  "'x'",
  "`{}`",
  "length(",
  "not_null(",
  "{a:",
  "a.",
  " ",
);

/** Fragments of the language in any order: nearly always invalid, and occasionally valid in an unusual way. */
export const expressionSoup: fc.Arbitrary<string> = fc
  .array(soupPiece, { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(""));
