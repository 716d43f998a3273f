import type { StoredDocument } from './document.ts';

/** The templates that have another `journey_duration_hours`. One that did not exist had none. */
export function changedDurations(before: StoredDocument, after: StoredDocument): string[] {
  const durations = new Map(before.templates.map(({ id, journey_duration_hours: hours }) => [id, hours]));
  return after.templates
    .filter(({ id, journey_duration_hours: hours }) => hours !== (durations.get(id) ?? null))
    .map(({ id }) => id);
}
