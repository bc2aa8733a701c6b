/** The bounds of the contract. Texts are measured in UTF-8 bytes. */
export const COMPANIES_MAX = 500 as const;
export const CLAIMS_MAX = 81;
export const IMPORT_ROWS_MAX = 100;
/** Maximum size of the JSON of one import row. */
export const IMPORT_ROW_BYTES_MAX = 8_192;
export const REQUEST_ID_BYTES_MAX = 64;
export const NAME_BYTES_MAX = 256;
export const CUSTOMER_REFERENCE_BYTES_MAX = 128;
export const ALIASES_MAX = 20;
export const ALIAS_BYTES_MAX = 256;
export const DOMAINS_MAX = 10;
export const DOMAIN_BYTES_MAX = 253;
export const IDENTIFIERS_MAX = 20;
export const IDENTIFIER_BYTES_MAX = 512;
export const LOCATIONS_MAX = 20;
export const LOCATION_BYTES_MAX = 256;
export const SOCIAL_HANDLES_MAX = 5;
/** Includes the leading `@`. */
export const SOCIAL_HANDLE_BYTES_MAX = 16;
/** Maximum number of evidence references served with an event. */
export const EVIDENCE_MAX = 20;
