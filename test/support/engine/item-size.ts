import type { Attributes } from '../../../lib/store/table/database.ts';

/** Size of an item as DynamoDB counts it, for the types that items of the service have. */
export const itemSize = (item: Attributes): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);

function valueSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + valueSize(each), 3);
  if (typeof value === 'object' && value !== null) return 3 + Object.keys(value).length + itemSize(value as Attributes);
  return 1;
}
