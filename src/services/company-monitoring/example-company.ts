/** The id of the company in the examples of the documentation. */
export const exampleCompanyId = "cm_company_01KAZJ9M3T8V6Y2C4E5F7G8H9J";
