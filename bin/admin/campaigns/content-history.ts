import { isUuid } from '../../../lib/domain/values/uuid.ts';
import { fits } from '../../../lib/http/reply.ts';
import { loadStoredContent } from '../../../lib/store/campaigns/content.ts';
import { globalTeam } from '../../../lib/store/table/keys.ts';
import { failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { approveContent, pendingNamed, withdrawContent } from '../operations/campaigns/approval.ts';
import { contentToExport } from '../operations/campaigns/content.ts';
import { restoringDocument } from '../operations/campaigns/restore.ts';
import { type Review, reviewText } from '../operations/campaigns/review.ts';
import { oneTemplate } from '../options.ts';
import {
  loadPending,
  type PendingRevision,
  type PublishedRevision,
  publishedRevisions,
} from '../store/campaigns/revisions.ts';
import { tableOf } from '../text.ts';
import { requireConsent } from '../verb.ts';
import { finished, noReview, published } from './content-import.ts';

type Yes = { yes: boolean | undefined };
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
  return { value: shown, text: tableOf(shown.flatMap(rowsOf), columns, 'No revisions are listed yet.') };
}

type Shown = PublishedRevision & { state: 'pending' | 'current' | 'earlier' };
type Row = Partial<Omit<Shown, 'changes'>> & { change?: string | undefined };

/** A line for each change. */
const rowsOf = ({ changes: [first, ...others], ...each }: Shown): Row[] => [
  { ...each, change: first },
  ...others.map((change) => ({ change })),
];

const columns = {
  REVISION: 'revision',
  STATE: 'state',
  AT: ({ at }: Row) => at?.slice(0, 16),
  WHO: ({ who, approved_by: by }: Row) => (by === undefined ? who : `${who}, approved by ${by}`),
  WHAT: ({ what, restores }: Row) => (restores === undefined ? what : `${what} of ${restores}`),
  CHANGES: 'change',
} as const;

const withoutParts = ({ parts, accept_moves, new: makesNew, ...shown }: PendingRevision) => shown;

export async function restored(
  installation: Installation,
  { team, revision, yes }: Yes & Named & { team: string | undefined },
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
  return published(installation, { team, yes, document, accepted, act, warnings: [] });
}

export async function approved(installation: Installation, { team, revision, yes }: Yes & Named & { team: string }) {
  let review: Review = noReview;
  const content = await approveContent({ ...installation, fits }, team, {
    ...{ revision, who: await installation.who() },
    onReview: (found) => {
      review = found;
      requireConsent(reviewText(review), { yes });
    },
  });
  return finished(installation, { team, content, review, warnings: [] });
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
