import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { journeyUrl } from '../../lib/domain/journey.ts';
import { filePath } from '../../lib/domain/team-file.ts';
import { urlAt } from '../../lib/domain/url.ts';
import { fits } from '../../lib/http/reply.ts';
import { ProductCache } from '../../lib/store/products.ts';
import { renderJourneyPage } from '../../lib/web/journey/page.ts';
import { readDocument } from '../content/read.ts';
import { contentWarnings } from '../warnings/document.ts';
import { contactIds } from './audit-ids.ts';
import { warningLines } from './content-outcome.ts';
import { documentOf } from './document.ts';
import { asNotFound, failure } from './failure.ts';
import { type PagePreview, previewContent } from './operations/preview-content.ts';
import { tableOf } from './text.ts';
import { verb } from './verb.ts';

type PreviewOptions = { team: string; contact?: string; page?: string; out?: string };

export function registerContentPreview(content: Command): void {
  verb<PreviewOptions, [string]>(
    content
      .command('preview')
      .description('Write the pages of a document as HTML files, without importing it')
      .argument('<file>', 'the JSON document; - reads it from standard input')
      .requiredOption('--team <team_id>', 'whose content it is')
      .option('--contact <unique_id>', 'show the values of this contact; without it, those of a sample')
      .option('--page <number>', 'only this page of each template, counted from 1')
      .option('--out <folder>', 'where the files are written; without it, in a new temporary folder'),
    // It shows the values of the contact, which are personal data.
    ({ team, contact }, _, database) => (contact === undefined ? {} : contactIds(database, team, contact)),
    async ({ database, baseUrl }, { team, contact, page, out }, file) => {
      const document = documentOf(file, true);
      const dependencies = { database, now: Date.now, fits, productCache: new ProductCache(database) };
      const all = await previewContent(dependencies, team, document, contact).catch(
        asNotFound(() => failure('not_found', 'names no contact of the team', '--contact')),
      );
      const chosen = page === undefined ? all : all.filter(({ pageNumber }) => String(pageNumber) === page);
      if (chosen.length === 0) throw noPage(page);
      const files = written(chosen, all, baseUrl, out ?? mkdtempSync(join(tmpdir(), 'preview-')));
      const rows = files.map(({ path, template, page: title }) => [path, template ?? '', title ?? '']);
      const { document: read } = readDocument(document);
      const warnings = read ? contentWarnings(document, read) : [];
      return { value: files, text: tableOf(['FILE', 'TEMPLATE', 'PAGE'], rows, ''), notes: warningLines(warnings) };
    },
  );
}

type PreviewFile = { path: string; template: string | null; page: string | null };

/** Writes the pages into the folder. Links between the pages of a template lead from file to file. */
function written(
  previews: readonly PagePreview[],
  all: readonly PagePreview[],
  baseUrl: string,
  folder: string,
): PreviewFile[] {
  mkdirSync(folder, { recursive: true });
  return previews.map((preview) => {
    const { html } = renderJourneyPage({ ...preview, journeyUrl: journeyUrl(baseUrl, preview.journey.slug) });
    const siblings = all.filter(({ templateNumber }) => templateNumber === preview.templateNumber);
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

const noPage = (page: string | undefined) =>
  page === undefined
    ? failure('validation_failed', 'have no page to show', '/templates')
    : failure('invalid_arguments', 'no template has a page of this number', '--page');
