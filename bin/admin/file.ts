import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  type FileType,
  filePath,
  fileTypeOf,
  hasExtensionOf,
  maxImageBytes,
  type TeamFile,
} from '../../lib/domain/team-file.ts';
import { urlAt } from '../../lib/domain/url.ts';
import { loadStoredContent } from '../../lib/store/content.ts';
import type { Database } from '../../lib/store/database.ts';
import { filesNamedIn } from '../content/files.ts';
import { say } from '../output.ts';
import { requireConsent } from './consent.ts';
import { writeTo } from './document.ts';
import { AdminFailure, asNotFound, failure } from './failure.ts';
import { keepFile, removeFile } from './operations/team-files.ts';
import { listTeamFiles, loadTeamFile } from './store/team-files.ts';
import { svgError } from './svg.ts';
import { listing, tableOf, textsOf } from './text.ts';
import { noIds, verb } from './verb.ts';

export function registerFile(program: Command): void {
  const file = program
    .command('file')
    .description('Images and fonts for the pages of a team; anyone with an id can read one');

  verb<{ team: string }, [string]>(
    file
      .command('put')
      .description(
        'Store an image (PNG, JPEG, WebP, GIF, or SVG without scripts and external references) or a font (WOFF2); at most 2 MB',
      )
      .argument('<path>', 'the image')
      .requiredOption('--team <team_id>', 'the team whose pages show it'),
    noIds,
    async ({ database, images, baseUrl }, { team }, path) => {
      const image = imageAt(path);
      const kept = await keepFile({ database, images: images(), now: Date.now }, team, image);
      const value = shown(kept, baseUrl);
      return { value, text: listing(textsOf(value)), ids: { file_id: kept.file_id } };
    },
  );

  verb<{ team: string }>(
    file
      .command('list')
      .description('List the images of a team, oldest first')
      .requiredOption('--team <team_id>', 'the team'),
    'reads',
    async ({ database, baseUrl }, { team }) => {
      const files = await listTeamFiles(database, team);
      const rows = files.map(({ file_id, type, bytes, name, inserted_at }) => [
        ...[file_id, type, String(bytes), name, inserted_at],
      ]);
      return {
        value: files.map((each) => ({ ...shown(each, baseUrl), name: each.name, inserted_at: each.inserted_at })),
        text: tableOf(['FILE', 'TYPE', 'BYTES', 'NAME', 'PUT'], rows, 'The team has no files.'),
      };
    },
  );

  verb<{ team: string; out?: string }, [string]>(
    file
      .command('get')
      .description('Write a stored image to a file')
      .argument('<file_id>', 'the image')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .option('--out <path>', 'the file to write; without it, its name, in this folder'),
    'reads',
    async ({ database, images, baseUrl }, { team, out }, argument) => {
      const stored = await loadTeamFile(database, team, argument.toLowerCase());
      const content = stored && (await images().read(stored.file_id));
      if (!content) throw noFile();
      const path = out ?? basename(stored.name);
      writeTo(path, content, 'wx');
      const value = { ...shown(stored, baseUrl), name: stored.name, path };
      return { value, text: listing(textsOf(value)) };
    },
  );

  verb<{ team: string; yes?: boolean }, [string]>(
    file
      .command('remove')
      .description('Delete an image, and show which content names it')
      .argument('<file_id>', 'the image')
      .requiredOption('--team <team_id>', 'the team that it belongs to')
      .option('--yes', 'confirm; required at a terminal'),
    (_, [fileId]) => ({ file_id: fileId.toLowerCase() }),
    async ({ database, images }, { team, yes = false }, argument) => {
      const fileId = argument.toLowerCase();
      if (!(await loadTeamFile(database, team, fileId))) throw noFile();
      const places = await placesOf(database, team, fileId);
      requireConsent(consequenceOf(fileId, places), { yes });
      await removeFile({ database, images: images() }, team, fileId).catch(asNotFound(noFile));
      const value = { file_id: fileId, team_id: team, named_by: places };
      return { value, text: `The file ${fileId} is deleted.` };
    },
  );
}

const shown = ({ file_id, team_id, type, bytes }: TeamFile, baseUrl: string) => {
  return { file_id, team_id, type, bytes, url: urlAt(baseUrl, filePath(file_id)) };
};

/** @throws AdminFailure `invalid_arguments` if it cannot be read, `validation_failed` if it is not allowed */
function imageAt(path: string): { content: Buffer; type: FileType; name: string } {
  const refused = (message: string) => failure('validation_failed', message, 'path');
  let content: Buffer;
  try {
    if (statSync(path).size > maxImageBytes) throw refused('is larger than 2 MB');
    content = readFileSync(path);
  } catch (error) {
    if (error instanceof AdminFailure) throw error;
    throw failure('invalid_arguments', `${path} cannot be read: ${(error as Error).message}`);
  }
  const type = fileTypeOf(content);
  if (!type) throw refused('is not a PNG, JPEG, WebP, GIF or SVG image, and not a WOFF2 font');
  const reason = type === 'image/svg+xml' ? svgError(content) : undefined;
  if (reason) throw refused(reason);
  const name = basename(path);
  if (!hasExtensionOf(type, name)) say(`${name} is stored as ${type}, because that is its content.`);
  return { content, type, name };
}

/** The places in the team's content that name the file. */
async function placesOf(database: Database, team: string, fileId: string): Promise<string[]> {
  const { document } = await loadStoredContent(database, team);
  const named = filesNamedIn(document).filter(({ file_id }) => file_id === fileId);
  return [...new Set(named.map(({ place }) => place))];
}

const consequenceOf = (fileId: string, places: readonly string[]): string =>
  [
    `The file ${fileId} is deleted. Browsers that have loaded it can cache it for up to a year.`,
    ...(places.length === 0 ? ['No content names it.'] : [`Content names it: ${places.join('; ')}.`]),
  ].join('\n');

const noFile = () => failure('not_found', 'names no file of the team', 'file_id');
