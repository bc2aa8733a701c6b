export const BUNDLED: Readonly<Record<string, string>>;
