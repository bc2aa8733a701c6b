/** A package of an installation. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string | undefined;
  readonly isForBuilding: boolean;
}

export function shippedPackages(lock: { readonly packages: object }): readonly ShippedPackage[];
