import * as z from 'zod';

/**
 * A UUID of any version, in lower case. Campaign documents can contain their own ids, and `z.uuid()` refuses ids
 * without a version of RFC 9562.
 */
export const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const whole = new RegExp(`^${uuidPattern}$`);

export const isUuid = (text: string): boolean => whole.test(text);

/** A UUID in upper or lower case, converted to lower case. */
export const uuid = (missing = 'must be a UUID') =>
  z.string(missing).toLowerCase().regex(whole, 'must be a UUID').meta({ format: 'uuid', pattern: undefined });
export type Uuid = ReturnType<typeof uuid>;
