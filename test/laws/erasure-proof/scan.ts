import { constants, gunzipSync } from 'node:zlib';
import type { Item } from '../../../lib/store/table/database.ts';
import { table } from '../../../lib/store/table/table.ts';
import { readable } from '../../support/engine/whole-table.ts';
import { eachValue, valueKinds } from './people.ts';
import type { ProofWorld } from './world.ts';

/** A text of the service, and where it is: a kind of item, an index, a kind of file, the log, the list of erasures. */
type Text = { place: string; text: string };

export type Scan = {
  items: readonly Item[];
  texts: number;
  /** Values of erased persons, by place. */
  erased: Map<string, number>;
  /** Values of all others, by place, kind and person. */
  others: Map<string, number>;
  /** Ids of erased persons (contact, journey, slug), by what it is and the place. */
  ids: Map<string, number>;
};

export type ScanInput = { log: string; list: readonly string[]; erased: ReadonlySet<number> };

/** Reads everything that is stored and logged. */
export async function scan(world: ProofWorld, { log, list, erased }: ScanInput): Promise<Scan> {
  const result: Scan = {
    items: await world.table.items(),
    texts: 0,
    erased: new Map(),
    others: new Map(),
    ids: new Map(),
  };
  const ids = idsOf(world, erased);
  const look = ({ place, text }: Text) => {
    result.texts += 1;
    eachValue(text, (person, kind) => {
      if (erased.has(person)) count(result.erased, place);
      else if (place !== rejectedPart) count(result.others, `${place}: ${valueKinds[kind]} of ${person}`);
    });
    for (const word of text.split(/[^A-Za-z0-9_-]+/)) {
      const what = ids.get(word);
      if (what) count(result.ids, `${what} in ${place}`);
    }
  };
  for (const item of result.items) look({ place: kindOf(item), text: JSON.stringify(item, readable) });
  for (const { name } of Object.values(table.indexes)) {
    for (const entry of await world.table.items(name)) look({ place: `index ${name}`, text: JSON.stringify(entry) });
  }
  for (const { name, bytes } of world.files()) {
    look({ place: kindOfFile(name), text: `${name}\n${textOf(bytes)}` });
  }
  look({ place: 'log', text: log });
  for (const text of list) look({ place: 'list of erasures', text });
  return result;
}

/** Also of files that are cut off. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0x1f) return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  return bytes.toString(bytes[0] === 0xff ? 'utf16le' : 'utf8');
}

function idsOf({ contactIds, journeys }: ProofWorld, erased: ReadonlySet<number>): Map<string, string> {
  const ids = new Map<string, string>();
  for (const person of erased) {
    ids.set(contactIds[person]!, 'contact id');
    ids.set(journeys[person]!.id, 'journey id');
    ids.set(journeys[person]!.slug, 'slug');
  }
  return ids;
}

/** `C/CONTACT`, `U/PART`, … as in docs/data-model.md. */
function kindOf({ pk, sk }: Item): string {
  const [owner = '', , segment] = pk.split('#');
  const part = owner === 'T' ? (segment ?? 'T') : owner;
  const [kind = ''] = sk.split('#');
  return `item ${part}/${/^[A-Z]+$/.test(kind) ? kind : '…'}`;
}

const kindOfFile = (name: string): string => {
  if (name.startsWith('work/')) return rejectedPart;
  const [, kind] = /\.(report\.json|rejected\.csv)$/.exec(name) ?? [];
  return kind === undefined ? 'dropped file' : `file .${kind}`;
};

/** A temporary copy of rejected rows, which an erasure deletes as a whole once the report is written. */
const rejectedPart = 'part of rejected rows';

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** What is in the second scan less often than in the first. */
export const lostBetween = (before: Map<string, number>, after: Map<string, number>): string[] =>
  [...before].flatMap(([name, times]) => ((after.get(name) ?? 0) < times ? [name] : []));
