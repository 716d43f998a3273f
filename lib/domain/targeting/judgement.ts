import type { LinkedContent } from '../campaigns/link.ts';
import type { Subject } from './person.ts';

/** What judging depends on besides rules and person. */
export type JudgingContext = {
  /** Milliseconds since the epoch. */
  now: number;
  /** IANA name of the team's time zone; UTC without one. */
  timeZone: string;
  /** All templates of the team, of which some have priority, and the objectives that conditions name by key. */
  content: Pick<LinkedContent, 'templates' | 'objectives'>;
};

/** What the rules give the person now. */
export type Judgement = { starts: Start[]; notes: Note[]; held: Held[] };

/** A journey to start, or to open again. */
export type Start = Subject & {
  revision: string;
  /** The id of the journey that `targeting undo` cancelled and that is opened again. */
  reopens?: string;
};

/** A rule that holds for a template without journeys. */
export type Note = Subject & { revision: string };

/** Why a rule gives the person nothing although it holds. */
export type Held =
  /** An open journey of the template `by`, or one that is started at the same time, has priority. */
  | { template_id: string; reason: 'priority'; by: string }
  /** The rule is judged for no contact with so many accounts. */
  | { template_id: string; reason: 'too_many_accounts' }
  /** The contact has as many journeys of the template as it can have. */
  | { template_id: string; reason: 'too_many_journeys' };
