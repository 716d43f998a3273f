import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { isJson } from '../../lib/domain/values/json-position.ts';
import { versionOf } from './content.ts';
import { changedText, isText } from './edit.ts';
import { isSetting, wrongSetting } from './fields.ts';
import { changedPages, pageActs } from './pages.ts';

const textChange = z.object({ path: z.string(), before: z.string(), text: z.string() });
/** `version`: of the file that the person sees. */
const pageChange = z.object({ page: z.string(), act: z.enum(pageActs), version: z.string() });

const hasChanged = 'the file has another value there. Load the page again.';

/**
 * Writes one change into the file, which is read again before. Other sites do not know the token, and browsers name them
 * in `Origin`.
 */
export async function save(file: string, token: string, request: IncomingMessage, response: ServerResponse) {
  const { origin, host, 'x-preview-token': given } = request.headers;
  const isOwn = given === token && (origin === undefined || origin === `http://${host}`);
  if (request.method !== 'POST' || !isOwn) return void response.writeHead(403).end();
  const sent = z.union([textChange, pageChange]).safeParse(await json(request).catch(() => undefined));
  if (!sent.success) return void response.writeHead(400).end();
  const wrong = 'text' in sent.data ? wrongSetting(sent.data) : undefined;
  if (wrong !== undefined) return void response.writeHead(400).end(`the value ${wrong}`);
  const [version, bytes] = [versionOf(file), readFileSync(file)];
  // Writing it as UTF-8 would replace what the file has instead.
  if (!isUtf8(bytes)) return void response.writeHead(409).end('the file is not in UTF-8.');
  const whole = bytes.toString();
  const written = whole.replace(/^\uFEFF/, '');
  const changed = isJson(written) ? changedFile(written, sent.data, version) : undefined;
  if (changed === undefined) return void response.writeHead(409).end(hasChanged);
  writeFileSync(file, (whole === written ? '' : '\uFEFF') + changed);
  response.writeHead(204).end();
}

function changedFile(
  file: string,
  change: z.output<typeof textChange> | z.output<typeof pageChange>,
  version: string | undefined,
): string | undefined {
  if ('act' in change) return change.version === version ? changedPages(file, change, randomUUID) : undefined;
  const { path, before, text } = change;
  return isText(file, path) || isSetting(path) ? changedText(file, { path, text: before }, text) : undefined;
}
