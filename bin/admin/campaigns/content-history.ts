import { isUuid } from '../../../lib/domain/values/uuid.ts';
import { fits } from '../../../lib/http/reply.ts';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import {
  loadPending,
  type PendingRevision,
  type PublishedRevision,
  pendingDocument,
  publishedRevisions,
} from '../../../lib/store/campaigns/revisions.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { approveContent, pendingNamed, withdrawContent } from '../operations/campaigns/approval.ts';
import { contentToExport } from '../operations/campaigns/content.ts';
import { restoringDocument } from '../operations/campaigns/restore.ts';
import type { Review } from '../operations/campaigns/review.ts';
import { oneTemplate } from '../options.ts';
import { tableOf } from '../text.ts';
import { requireConsent } from '../verb.ts';
import { checkedContent, consequenceText, finished, noReview, type Publishing, published } from './content-import.ts';

type Yes = Pick<Publishing, 'yes'>;
type Named = { revision: string };

export async function history(
  { database }: Installation,
  { team, template, limit }: { team: string | undefined; template: string | undefined; limit: number },
) {
  const owner = team ?? globalTeam;
  const [{ revision: current, document }, pending] = await Promise.all([
    loadStoredContent(database, owner),
    loadPending(database, owner),
  ]);
  const isId = template === undefined || isUuid(template.toLowerCase());
  const id = isId ? template?.toLowerCase() : oneTemplate(document.templates, template).id;
  const isShown = ({ template_ids }: Pick<PublishedRevision, 'template_ids'>) =>
    id === undefined || template_ids.includes(id);
  const shown: Shown[] = pending && isShown(pending) ? [{ state: 'pending', ...withoutParts(pending) }] : [];
  for await (const each of publishedRevisions(database, owner)) {
    if (shown.length >= limit) break;
    if (isShown(each)) shown.push({ state: each.revision === current ? 'current' : 'earlier', ...each });
  }
  const needsApproval = team !== undefined && (await loadTeam(database, team))?.content_approval === true;
  const notes =
    needsApproval && pending && pending.approved_by === undefined
      ? `The pending revision waits for another person: npm run admin -- content approve ${pending.revision} --team ${team}`
      : undefined;
  return { value: shown, text: tableOf(shown.flatMap(rowsOf), columns, 'No revisions are listed yet.'), notes };
}

type Shown = PublishedRevision & Pick<PendingRevision, 'refused'> & { state: 'pending' | 'current' | 'earlier' };
type Row = Partial<Omit<Shown, 'changes'>> & { change?: string | undefined };

/** A line for each change. A revision that waits for its time says so first. */
function rowsOf({ changes, ...each }: Shown): Row[] {
  const { state, publish_at, refused } = each;
  const waits = state === 'pending' && publish_at !== undefined ? [`To be published at ${publish_at}`] : [];
  const reasons = refused?.details.map(({ path, message }) => `${path} ${message}`.trim()) ?? [];
  const refusals = refused ? [`Not published at ${refused.at}: ${refused.error}`, ...reasons] : [];
  const [first, ...others] = [...waits, ...refusals, ...changes];
  return [{ ...each, change: first }, ...others.map((change) => ({ change }))];
}

const columns = {
  REVISION: 'revision',
  STATE: 'state',
  AT: ({ at }: Row) => at?.slice(0, 16),
  WHO: ({ who, approved_by: by }: Row) => (by === undefined ? who : `${who}, approved by ${by}`),
  WHAT: ({ what, restores }: Row) => (restores === undefined ? what : `${what} of ${restores}`),
  CHANGES: 'change',
} as const;

const withoutParts = ({ parts, accept_moves, new: makesNew, attempts, ...shown }: PendingRevision) => shown;

export async function restored(
  installation: Installation,
  { team, revision, at, yes }: Publishing & Named & { team: string | undefined },
) {
  const owner = team ?? globalTeam;
  const [earlier, current] = await Promise.all([
    contentToExport(installation.database, team ?? null, revision),
    loadStoredContent(installation.database, owner),
  ]);
  if (!earlier) throw failure('not_found', 'is not a stored revision', '<revision>');
  const document = restoringDocument(earlier, current.document);
  const accepted = { acceptMoves: true, new: true };
  const act = { who: await installation.who(), what: 'restore', restores: revision } as const;
  return published(installation, { team, at, yes, document, accepted, act, warnings: [] });
}

export async function approved(installation: Installation, { team, revision, yes }: Yes & Named & { team: string }) {
  let review: Review = noReview;
  const pending = await pendingNamed(installation, team, revision);
  const document = await pendingDocument(installation.database, team, pending);
  const { warnings } = await checkedContent(installation, document, { team, strict: undefined });
  const { checked: content, waitsUntil } = await approveContent({ ...installation, fits }, team, {
    ...{ revision, who: await installation.who() },
    onReview: (found) => {
      review = found;
      requireConsent(consequenceText(review, warnings), { yes });
    },
  });
  if (waitsUntil === undefined) return finished(installation, { team, content, review, warnings });
  return {
    value: { team_id: team, revision, approved: true, publish_at: waitsUntil, warnings },
    text: `Approved. It is published at ${waitsUntil}.`,
    ids: { content_revision: revision },
  };
}

export async function withdrawn(installation: Installation, { team, revision, yes }: Yes & Named & { team: string }) {
  const { who, changes } = await pendingNamed(installation, team, revision);
  requireConsent(`This revision of ${who} is not published:\n${changes.join('\n')}`, { yes });
  await withdrawContent({ ...installation, fits }, team, revision);
  return {
    value: { team_id: team, revision, withdrawn: true },
    text: 'Withdrawn.',
    ids: { content_revision: revision },
  };
}
