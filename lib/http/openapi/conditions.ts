import { having, notBlank } from '../../domain/values/json-schema.ts';

/**
 * Conditions between fields, as JSON Schema. The domain checks them. Code generators ignore `not` and siblings of a
 * `$ref`, so the generated types stay simple.
 */

export const present = { type: 'string', pattern: notBlank, description: 'Neither empty nor blank' };

const unnamed = { not: { anyOf: [having('unique_id', present), having('email', present)] } };

/** A contact is identified by its `unique_id` or its `email`. Empty, blank and `null` count as absent. */
export const namedContact = { not: unnamed };
/** The same, for a value that also must not have another form. */
export const namedContactUnless = (otherForm: object) => ({ not: { anyOf: [unnamed, otherForm] } });

const whole = { type: 'integer' };

/**
 * `chunk_index` needs a `batch_id` and at most `maxRecords` records. `chunk_count` needs a `chunk_index`. `null` counts
 * as absent in both.
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
