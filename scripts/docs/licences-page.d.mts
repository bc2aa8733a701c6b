/** A package that an installation contains. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string | undefined;
  /** True if only a build needs the package. */
  readonly isForBuilding: boolean;
}

export function shippedPackages(lock: { readonly packages: object }): readonly ShippedPackage[];
