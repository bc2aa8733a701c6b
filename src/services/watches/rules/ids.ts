export const WATCH_PREFIX = "wch";
export const FIRING_PREFIX = "wfr";
