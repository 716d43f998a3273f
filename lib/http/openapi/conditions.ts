import { having, notBlank } from '../../domain/json-schema.ts';

/**
 * Conditions between fields, which the rules of the domain hold, as JSON Schema says them. Generators pass over `not`
 * and over what stands beside a reference, so that the types that they make stay plain.
 */

const present = { type: 'string', pattern: notBlank, description: 'Neither empty nor blank' };

const unnamed = { not: { anyOf: [having('unique_id', present), having('email', present)] } };

/** A contact is named by its `unique_id` or its `email`; empty, blank and `null` count as absent. */
export const namedContact = { not: unnamed };
/** The same for what is not of another form as well. */
export const namedContactUnless = (otherForm: object) => ({ not: { anyOf: [unnamed, otherForm] } });

const whole = { type: 'integer' };

/**
 * A chunk belongs to a batch that the caller named, and is one that the service need not split. `chunk_count` needs a
 * `chunk_index`; `null` counts as absent in both.
 */
export const deduplicated = (maxRecords: number) => ({
  dependentRequired: { chunk_index: ['batch_id'] },
  not: {
    anyOf: [
      {
        ...having('chunk_index', whole),
        anyOf: [
          { not: having('batch_id', { type: 'string', minLength: 1 }) },
          having('records', { minItems: maxRecords + 1 }),
        ],
      },
      { ...having('chunk_count', whole), not: having('chunk_index', whole) },
    ],
  },
});
