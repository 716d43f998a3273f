import type { DropReport } from '../../domain/drop.ts';
import type { ObjectStore } from '../../store/objects.ts';
import type { ContactDependencies } from '../contacts/dependencies.ts';
import type { ImportDependencies } from '../imports/dependencies.ts';

/** The dependencies of the operations that read dropped files. */
export type DropDependencies = {
  objects: ObjectStore;
  imports: ImportDependencies;
  contacts: ContactDependencies;
  /** Milliseconds since the epoch. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Called after a file has ended, with its report. */
  onReport?(report: DropReport): void;
  /** Called with the error if the code fails on a row, which is then rejected. */
  onRowFailure?(error: unknown): void;
};
