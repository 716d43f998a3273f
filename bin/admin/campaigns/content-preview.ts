import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument } from '../../../lib/content/read.ts';
import { linked } from '../../../lib/domain/campaigns/link.ts';
import { localized } from '../../../lib/domain/campaigns/translate.ts';
import { identityNeed } from '../../../lib/domain/journeys/identity-need.ts';
import { journeyUrl } from '../../../lib/domain/journeys/journey.ts';
import { accountFor } from '../../../lib/domain/journeys/linked-account.ts';
import { filePath } from '../../../lib/domain/teams/team-file.ts';
import type { JsonValue } from '../../../lib/domain/values/json.ts';
import { notFound } from '../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../lib/domain/values/timestamp.ts';
import { urlAt } from '../../../lib/domain/values/url.ts';
import { fits } from '../../../lib/http/reply.ts';
import { accountsOf } from '../../../lib/operations/journeys/progress.ts';
import { type CheckContentService, checkContent } from '../../../lib/operations/publishing/import-content.ts';
import { ProductCache } from '../../../lib/store/accounts/products.ts';
import { shownTeamOf } from '../../../lib/store/campaigns/content.ts';
import { loadByUniqueId } from '../../../lib/store/contacts/contacts.ts';
import { loadContactAggregate } from '../../../lib/store/journeys/journeys.ts';
import { loadTeam } from '../../../lib/store/teams/teams.ts';
import { renderJourneyPage } from '../../../lib/web/journey/page.ts';
import { type Person, sampleContact, sampleJourney } from '../../preview/sample.ts';
import { contentWarnings } from '../../warnings/document.ts';
import { documentOf } from '../document.ts';
import { asNotFound, failure } from '../failure.ts';
import type { Installation } from '../installation.ts';
import { tableOf } from '../text.ts';
import type { Outcome } from '../verb.ts';
import { warningLines } from './content-import.ts';

type Given = Record<'file' | 'team', string> & Record<'contact' | 'out', string | undefined>;

/** Writes the pages of a document as HTML files. */
export async function preview(installation: Installation, given: Given): Promise<Outcome> {
  const { team, contact, out } = given;
  const document = documentOf(given.file, true);
  const all = await previewContent({ ...installation, fits }, team, document, contact).catch(
    asNotFound(() => failure('not_found', 'names no contact of the team', '--contact')),
  );
  if (all.length === 0) throw failure('validation_failed', 'have no page to show', '/templates');
  const files = written(all, installation.baseUrl, out ?? mkdtempSync(join(tmpdir(), 'preview-')));
  const { document: read } = readDocument(document);
  const warnings = read ? contentWarnings(document, read) : [];
  const text = tableOf(files, { FILE: 'path', TEMPLATE: 'template', PAGE: 'page' });
  return { value: files, text, notes: warningLines(warnings) };
}

type PagePreview = Awaited<ReturnType<typeof previewContent>>[number];

/**
 * The pages of the document's templates, as they would be after its import, as a person sees them at the beginning of a
 * journey once the identity is proved. Nothing is written.
 * @param uniqueId of the contact whose values the pages show; without it, a sample's
 * @throws AdminFailure `validation_failed` naming every error; Problem `not_found` when there is no such team or contact
 */
export async function previewContent(
  service: CheckContentService,
  teamId: string,
  value: JsonValue,
  uniqueId: string | undefined,
) {
  const { content, global, given } = await checkContent(service, teamId, value);
  const now = timestamp(service.now());
  const [loaded, person] = await Promise.all([
    loadTeam(service.database, teamId),
    uniqueId === undefined ? { contact: sampleContact(now), accounts: [] } : personOf(service, teamId, uniqueId),
  ]);
  // A team that does not exist has no content to check.
  const team = loaded!;
  const { templates } = linked(content, global, { teamId, team: shownTeamOf(team) });
  return given.templates.flatMap(({ id }, index) => {
    const original = templates.find((each) => each.id === id)!;
    const { template, language } = localized(original, team, person.contact, undefined);
    const journey = sampleJourney(template, person, { features: team.features, now });
    return journey.pages.map((shown, page) => ({
      ...{ ...journey, shown, analytics: journey.analytics([]), answers: [], isIdentityValidated: true },
      // From 1: which template of the document, and which of its pages.
      ...{ templateNumber: index + 1, pageNumber: page + 1 },
      language,
      account: accountFor(shown.page, person.accounts, team.features, now),
      identityNeed: identityNeed(template, shown, page === 0),
    }));
  });
}

async function personOf(
  { database }: Pick<CheckContentService, 'database'>,
  teamId: string,
  uniqueId: string,
): Promise<Person> {
  const found = (await loadByUniqueId(database, teamId, [uniqueId])).get(uniqueId)?.stored;
  const aggregate = found && (await loadContactAggregate(database, teamId, found.contact.id));
  if (!aggregate) throw notFound();
  const productCache = new ProductCache(database);
  return { contact: aggregate.contact, accounts: await accountsOf({ productCache }, teamId, aggregate.links)() };
}

/** Writes the pages into the folder. Links between the pages of a template lead from file to file. */
function written(previews: readonly PagePreview[], baseUrl: string, folder: string) {
  mkdirSync(folder, { recursive: true });
  return previews.map((preview) => {
    const { html } = renderJourneyPage({ ...preview, journeyUrl: journeyUrl(baseUrl, preview.journey.slug) });
    const siblings = previews.filter(({ templateNumber }) => templateNumber === preview.templateNumber);
    const linked = siblings.reduce(
      (text, sibling) => text.replaceAll(`href="?page=${sibling.shown.page.id}"`, `href="${fileName(sibling)}"`),
      html,
    );
    const path = join(folder, fileName(preview));
    // The path of an image has no host, which a page opened from a folder needs.
    writeFileSync(path, linked.replaceAll(`="${filePath('')}`, `="${urlAt(baseUrl, filePath(''))}`));
    const { navigation_title, content_name } = preview.shown.page;
    return { path, template: preview.template.name, page: navigation_title ?? content_name };
  });
}

const fileName = ({ templateNumber, pageNumber }: PagePreview): string =>
  `template-${templateNumber}-page-${pageNumber}.html`;
