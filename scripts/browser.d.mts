export const browserPath: string;
export const noBrowser: string | undefined;
