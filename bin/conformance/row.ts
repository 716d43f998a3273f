import type { World } from './world.ts';

/** Throws if the service does not do what the row says. */
export type Check = (world: World) => Promise<void>;

/** One sentence of the specification, in our words, and how it is checked. */
export type Row = {
  /** Heading of the specification. */
  section: string;
  /** What the service must do. Names of fields, parameters and codes are in backticks. */
  demand: string;
  /** What the check does. For a row without a check: why requests cannot show it. */
  shown: string;
} & ({ check: Check } | { test: string });

export type CheckedRow = Extract<Row, { check: Check }>;

/** Identifies a row in the results. A row that is reworded has no result until the next run. */
export const keyOf = ({ section, demand }: Row): string => `${section}: ${demand}`;

/** Makes the rows of a section. */
export const sectionOf = (section: string) => ({
  row: (demand: string, shown: string, check: Check): Row => ({ section, demand, shown, check }),
  /** A row that requests alone cannot show. @param test the test that shows it */
  elsewhere: (demand: string, shown: string, test: string): Row => ({ section, demand, shown, test }),
});

export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** A fixture that several checks read. It is made once in each world, by the first check that needs it. */
export function once<T>(make: (world: World) => Promise<T>): (world: World) => Promise<T> {
  const made = new WeakMap<World, Promise<T>>();
  return (world) => {
    const found = made.get(world) ?? make(world);
    made.set(world, found);
    return found;
  };
}
