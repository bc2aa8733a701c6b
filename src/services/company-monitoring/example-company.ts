/** The company of the examples in the documents. */
export const exampleCompanyId = "cm_company_01KAZJ9M3T8V6Y2C4E5F7G8H9J";
