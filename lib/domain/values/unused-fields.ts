import type { ErrorDetail } from './problem.ts';

/** The response of a request names so many of them. */
const maxNamed = 10;

/**
 * The fields of a request that have no use: unknown ones, and those with a value that is stored but cannot be used. They
 * are errors of a strict request (contract, section 1). The response of any other request names the first of them.
 */
export class UnusedFields {
  readonly #isStrict: boolean;
  readonly #paths = new Set<string>();

  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /**
   * @param path of the part of the request in which they are looked for
   * @returns those that are errors
   */
  refused(path: string, find: () => readonly ErrorDetail[]): ErrorDetail[] {
    if (!this.#isStrict && this.#paths.size >= maxNamed) return [];
    const found = find().map((error) => ({ ...error, path: path + error.path }));
    if (this.#isStrict) return found;
    for (const each of found.slice(0, maxNamed - this.#paths.size)) this.#paths.add(each.path);
    return [];
  }

  /** JSON Pointers of those that are not errors. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }
}
