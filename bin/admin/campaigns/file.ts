import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type FileType,
  filePath,
  fileTypeOf,
  hasExtensionOf,
  maxImageBytes,
  type TeamFile,
} from '../../../lib/domain/teams/team-file.ts';
import { urlAt } from '../../../lib/domain/values/url.ts';
import type { Database } from '../../../lib/store/table/database.ts';
import { say } from '../../output.ts';
import { AdminFailure, asNotFound, failure } from '../failure.ts';
import { keepFile, removeFile } from '../operations/campaigns/team-files.ts';
import { listTeamFiles, loadTeamFile } from '../store/campaigns/team-files.ts';
import { tableOf } from '../text.ts';
import { argument, noun, requireConsent, team, verb, yes } from '../verb.ts';

const fileId = argument('the image');
/** Of a photo as cameras make them, which is made smaller. */
const maxPhotoBytes = 100 * 1024 * 1024;

export const verbs = noun('Images and fonts for the pages of a team; anyone with an id can read one', {
  put: verb({
    does: 'Store an image (PNG, JPEG, WebP, GIF, or SVG without scripts and external references) or a font (WOFF2); at most 2 MB. A larger photo is made smaller',
    parameters: { path: argument('the image'), team },
    run: async ({ database, images, baseUrl, now }, given) => {
      const image = await imageAt(given.path);
      const kept = await keepFile({ database, images: await images(), now }, given.team, image);
      return { value: shown(kept, baseUrl), ids: { file_id: kept.file_id } };
    },
  }),

  list: verb({
    does: 'List the images of a team, oldest first',
    parameters: { team },
    reads: true,
    run: async ({ database, baseUrl }, given) => {
      const files = await listTeamFiles(database, given.team);
      const columns = { FILE: 'file_id', TYPE: 'type', BYTES: 'bytes', NAME: 'name', PUT: 'inserted_at' } as const;
      return {
        value: files.map((each) => ({ ...shown(each, baseUrl), name: each.name, inserted_at: each.inserted_at })),
        text: tableOf(files, columns, 'The team has no files.'),
      };
    },
  }),

  remove: verb({
    does: 'Delete an image, and show which content names it',
    parameters: { fileId, team, yes },
    ids: (given) => ({ file_id: given.fileId.toLowerCase() }),
    run: async ({ database, images }, given) => {
      const [file_id, team_id] = [given.fileId.toLowerCase(), given.team];
      if (!(await loadTeamFile(database, team_id, file_id))) throw noFile();
      const named_by = await placesOf(database, team_id, file_id);
      const named = named_by.length === 0 ? 'No content names it.' : `Content names it: ${named_by.join('; ')}.`;
      requireConsent(
        `The file ${file_id} is deleted. Browsers that have loaded it can cache it for up to a year.\n${named}`,
        given,
      );
      await removeFile({ database, images: await images() }, team_id, file_id).catch(asNotFound(noFile));
      return { value: { file_id, team_id, named_by }, text: `The file ${file_id} is deleted.` };
    },
  }),
});

const shown = ({ file_id, team_id, type, bytes }: TeamFile, baseUrl: string) => {
  return { file_id, team_id, type, bytes, url: urlAt(baseUrl, filePath(file_id)) };
};

/** @throws AdminFailure `invalid_arguments` if it cannot be read, `validation_failed` if it is not allowed */
async function imageAt(path: string): Promise<{ content: Buffer; type: FileType; name: string }> {
  const refused = (message: string) => failure('validation_failed', message, 'path');
  let content: Buffer;
  try {
    if (statSync(path).size > maxPhotoBytes) throw refused('is larger than 100 MB');
    content = readFileSync(path);
  } catch (error) {
    if (error instanceof AdminFailure) throw error;
    throw failure('invalid_arguments', `${path} cannot be read: ${(error as Error).message}`);
  }
  if (content.length > maxImageBytes) content = await madeSmaller(path, content, refused);
  const type = fileTypeOf(content);
  if (!type) throw refused('is not a PNG, JPEG, WebP, GIF or SVG image, and not a WOFF2 font');
  const reason = type === 'image/svg+xml' ? (await import('./svg.ts')).svgError(content) : undefined;
  if (reason) throw refused(reason);
  const name = basename(path);
  if (!hasExtensionOf(type, name)) say(`${name} is stored as ${type}, because that is its content.`);
  return { content, type, name };
}

const photoTypes: readonly (FileType | undefined)[] = ['image/jpeg', 'image/png', 'image/webp'];

async function madeSmaller(path: string, content: Buffer, refused: (message: string) => AdminFailure): Promise<Buffer> {
  const { smallerImage } = await import('./smaller-image.ts');
  const smaller = photoTypes.includes(fileTypeOf(content)) ? await smallerImage(content) : undefined;
  if (!smaller) throw refused('is larger than 2 MB');
  const { width, height, content: stored } = smaller;
  say(
    `${basename(path)} has ${megabytes(content)} MB. It is stored smaller: ${width} × ${height} pixels, ${megabytes(stored)} MB.`,
  );
  return stored;
}

const megabytes = ({ length }: Buffer) => (length / 1024 / 1024).toFixed(1);

/** Where the team's content names the file: JSON Pointers into the document that `content export` prints. */
async function placesOf(database: Database, teamId: string, fileId: string): Promise<string[]> {
  const { loadStoredContent } = await import('../../../lib/store/campaigns/content.ts');
  const { exportedDocument } = await import('../../content/export.ts');
  const { filesIn } = await import('../../warnings/files.ts');
  const { document } = await loadStoredContent(database, teamId);
  return filesIn(exportedDocument(document)).flatMap((each) => (each.fileId === fileId ? each.path : []));
}

const noFile = () => failure('not_found', 'names no file of the team', 'file_id');
