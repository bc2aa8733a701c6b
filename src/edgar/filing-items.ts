/** Items of Form 8-K that report a material event, by code, with short names. */
const materialItems = {
  "1.01": "Entry into a material agreement",
  "1.02": "Termination of a material agreement",
  "1.03": "Bankruptcy or receivership",
  "1.04": "Mine safety",
  "1.05": "Material cybersecurity incident",
  "2.01": "Acquisition or disposal of assets",
  "2.02": "Results of operations",
  "2.03": "New financial obligation",
  "2.04": "Acceleration of a financial obligation",
  "2.05": "Exit or disposal costs",
  "2.06": "Material impairment",
  "3.01": "Delisting or failure to meet a listing rule",
  "3.02": "Unregistered sale of equity",
  "3.03": "Change to the rights of security holders",
  "4.01": "Change of accountant",
  "4.02": "Financial statements no longer reliable",
  "5.01": "Change of control",
  "5.02": "Departure or election of directors or officers",
  "5.03": "Amendment of charter or bylaws",
  "5.05": "Amendment or waiver of the code of ethics",
  "5.08": "Nomination of directors by shareholders",
} as const;

/** Short names of the other items, which are routine or concern few issuers. */
const otherItems = {
  "5.04": "Suspended trading in benefit plans",
  "5.06": "Change of shell company status",
  "5.07": "Shareholder vote",
  "6.01": "Asset-backed securities: informational material",
  "6.02": "Asset-backed securities: change of servicer or trustee",
  "6.03": "Asset-backed securities: change of credit enhancement",
  "6.04": "Asset-backed securities: missed distribution",
  "6.05": "Asset-backed securities: updating disclosure",
  "6.10": "Asset-backed securities: alternative filings",
  "7.01": "Regulation FD disclosure",
  "8.01": "Other events",
  "9.01": "Financial statements and exhibits",
} as const;

const names: ReadonlyMap<string, string> = new Map(Object.entries({ ...materialItems, ...otherItems }));

/** True for an item that reports a material event. */
export function isMaterialItem(code: string): boolean {
  return Object.hasOwn(materialItems, code);
}

/** The short name of an item of Form 8-K or, if it has no short name, `Item` and its code. */
export function itemName(code: string): string {
  return names.get(code) ?? `Item ${code}`;
}
