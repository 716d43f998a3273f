import type { ObjectStore } from '../../store/objects.ts';
import type { ContactDependencies } from '../contacts/dependencies.ts';
import type { ImportDependencies } from '../imports/dependencies.ts';

/** What the reading of dropped files is handed. */
export type DropDependencies = {
  objects: ObjectStore;
  imports: ImportDependencies;
  contacts: ContactDependencies;
  /** Milliseconds since the epoch. */
  now(): number;
};
