import * as z from 'zod';

const paused = z.object({
  at: z.string(),
  /** Who paused it: an administrator, or the service itself. */
  by: z.string(),
  reason: z.string(),
});
export type Paused = z.output<typeof paused>;

/** Whether the messages of a team are paused. */
export const messageState = z.object({
  paused: paused.nullable().default(null),
  /** The templates whose messages are paused, by their ids. */
  templates: z.record(z.string(), paused).default({}),
  /** The last pause of the team that has ended. */
  last_pause: z.object({ from: z.string(), until: z.string() }).nullable().default(null),
  /** What was due before is not sent: the messages had been paused by a restore of the table. */
  restored_until: z.string().nullable().default(null),
  /** The table for which this was said: it differs after a restore. */
  epoch: z.string().default(''),
});
export type MessageState = z.output<typeof messageState>;

export const noState: MessageState = {
  ...{ paused: null, templates: {}, last_pause: null, restored_until: null, epoch: '' },
};

/** How the messages of a team are paused as a whole; `undefined` if they are not. */
export function pauseOf(state: MessageState, epoch: string): Paused | 'restored' | undefined {
  // After a restore the table does not know what was sent since its backup.
  return state.epoch === epoch ? (state.paused ?? undefined) : 'restored';
}

export const pausedBy = (state: MessageState, pause: Paused, templateId?: string): MessageState =>
  templateId === undefined
    ? { ...state, paused: state.paused ?? pause }
    : { ...state, templates: { ...state.templates, [templateId]: state.templates[templateId] ?? pause } };

/** After a restore, what was due before is never sent. */
export function resumed(state: MessageState, at: string, epoch: string, templateId?: string): MessageState {
  if (templateId !== undefined) {
    const { [templateId]: _, ...templates } = state.templates;
    return { ...state, templates };
  }
  const last_pause = state.paused ? { from: state.paused.at, until: at } : state.last_pause;
  return {
    ...state,
    paused: null,
    last_pause,
    epoch,
    restored_until: state.epoch === epoch ? state.restored_until : at,
  };
}

/** How many messages of the last ones bounced or were complained of, in blocks of so many, the newest last. */
export const messageCounts = z.object({
  blocks: z.array(z.object({ sent: z.int(), bounced: z.int(), complained: z.int() })).default([]),
  /** When the last one was sent. */
  moved_at: z.string().nullable().default(null),
  /** When the last one was found to have bounced, or was complained of. */
  bounced_at: z.string().nullable().default(null),
  complained_at: z.string().nullable().default(null),
});
export type MessageCounts = z.output<typeof messageCounts>;
export const noCounts: MessageCounts = { blocks: [], moved_at: null, bounced_at: null, complained_at: null };

const [ofBlock, blocks] = [100, 10];

/** Counts, and forgets what is older than the last 1,000 that were sent. */
export function counted(
  { blocks: before, ...times }: MessageCounts,
  add: { sent?: number; bounced?: number; complained?: number },
  at: string,
): MessageCounts {
  const last = before.at(-1);
  // A report belongs to what was sent last.
  const isFull = last === undefined || (last.sent >= ofBlock && add.sent !== undefined);
  const { sent, bounced, complained } = isFull ? { sent: 0, bounced: 0, complained: 0 } : last;
  const block = {
    sent: sent + (add.sent ?? 0),
    bounced: bounced + (add.bounced ?? 0),
    complained: complained + (add.complained ?? 0),
  };
  const kept = [...(isFull ? before : before.slice(0, -1)), block].slice(-blocks);
  return {
    blocks: kept,
    moved_at: add.sent === undefined ? times.moved_at : at,
    bounced_at: add.bounced === undefined ? times.bounced_at : at,
    complained_at: add.complained === undefined ? times.complained_at : at,
  };
}

/** Shares from which a team is paused, and of how many messages at least they are known. */
const brakes = {
  bounced: { share: 0.04, atLeast: 100 },
  complained: { share: 0.0008, atLeast: ofBlock * (blocks - 1) },
} as const;

/** Why a team is to be paused by itself; `undefined` if there is no reason (contract, section 15). */
export function brakeOf({ blocks: all }: MessageCounts): 'bounces' | 'complaints' | undefined {
  const sum = (field: 'sent' | 'bounced' | 'complained') => all.reduce((total, block) => total + block[field], 0);
  const sent = sum('sent');
  const exceeds = (field: 'bounced' | 'complained') =>
    sent >= brakes[field].atLeast && sum(field) >= brakes[field].share * sent;
  if (exceeds('complained') && sum('complained') > 0) return 'complaints';
  return exceeds('bounced') ? 'bounces' : undefined;
}
