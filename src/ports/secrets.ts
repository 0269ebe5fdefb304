/** Values of secrets, by the names that manifests give. They leave the host in headers only. */
export interface Secrets {
  /** Null where no value is known. */
  value(name: string): string | null;
}
