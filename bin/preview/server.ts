import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, dirname, resolve } from 'node:path';
import type { WebPage } from '../../lib/web/document.ts';
import { endingName } from '../../lib/web/journey/input.ts';
import { runningService } from '../local/description.ts';
import { hasOwnHost, listen } from '../local/ports.ts';
import { contentOf, type PreviewedContent, versionOf } from './content.ts';
import { type Edits, marked } from './edit.ts';
import { save } from './save.ts';
import { shell } from './shell.ts';
import { channelView, previewed, type View, viewOf } from './views.ts';

export type PreviewOptions = { file: string; port: number; dataDirectory: string };

/** Serves the preview on the loopback interface. It reads the file again for every request, and writes changes. */
export async function startPreview(options: PreviewOptions): Promise<{ url: string; close(): Promise<void> }> {
  const listeners: Listeners = new Map();
  const token = randomUUID();
  const server = createServer((request, response) => {
    respond(options, token, listeners, request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
    });
  });
  const watcher = watchFile(options.file, () => report(options.file, listeners));
  const { endpoint, stop } = await listen(server, options.port);
  const close = () => {
    watcher.close();
    return stop();
  };
  return { url: `${endpoint}/`, close };
}

/** The pages that listen for changes, each with the version of the file that it shows. */
type Listeners = Map<ServerResponse, string | null>;

/** Milliseconds after a change before it is reported, because editors write a file in several steps. */
const settled = 100;

/** Watches the folder, because many editors replace the file when they save it. */
function watchFile(file: string, changed: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return watch(dirname(resolve(file)), (_, name) => {
    if (name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, settled);
  });
}

async function respond(
  { file, dataDirectory }: PreviewOptions,
  token: string,
  listeners: Listeners,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!hasOwnHost(request)) return void response.writeHead(403).end();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://preview');
  const [kind, ...parts] = partsOf(pathname) ?? [];
  if (pathname === '/') return sendHtml(response, shell(basename(file), contentOf(file), token));
  if (pathname === '/events') return sendChanges(file, listeners, searchParams.get('version'), response);
  if (kind === 'files') return sendFile(dataDirectory, pathname, response);
  if (pathname === '/edits') return save(file, token, request, response);
  if (request.method === 'POST') return acceptForm(request, response);
  const page = searchParams.get('page');
  // Only a journey whose pages are answered has an ending.
  if (kind === 't' && page === endingName && parts[1] !== 'answered') {
    const location = `/t/${parts[0]}/answered/${parts[2]}?page=${endingName}`;
    return void response.writeHead(302, { location }).end();
  }
  const edits: PageEdits = { texts: [], fields: [], page: undefined };
  const isEdited = searchParams.has('edit');
  const shown = pageAt(
    kind === 'j' ? answeredParts(request) : [kind, ...parts],
    page ?? searchParams.get('after') ?? undefined,
    contentOf(file),
    isEdited ? edits : undefined,
  );
  if (!shown) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
  const html = searchParams.has('dark') ? shown.html.replaceAll('(prefers-color-scheme:dark)', 'all') : shown.html;
  const list = JSON.stringify(edits).replaceAll('<', '\\u003c');
  sendHtml(response, isEdited ? `${html}<script type="application/json" id="edits">${list}</script>` : html);
}

/** `undefined` if the path is not encoded as a path. */
function partsOf(pathname: string): string[] | undefined {
  try {
    return pathname.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** What the script of a page loads after its form was accepted: the same page with its answer. */
function answeredParts({ headers }: IncomingMessage): string[] {
  const { pathname } = new URL(headers.referer ?? '/', 'http://preview');
  const [kind = '', template = '', , language = ''] = partsOf(pathname) ?? [];
  return kind === 't' ? [kind, template, 'answered', language] : [];
}

/**
 * The page at an address: `t`, template, state, language, or `c`, channel, template, page, language.
 * @param edits receives what can be changed, and the texts are then marked
 */
function pageAt(
  [kind, first, second = '', third = '', last]: readonly (string | undefined)[],
  page: string | undefined,
  { content, places, isStale }: PreviewedContent,
  edits: PageEdits | undefined,
): WebPage | undefined {
  if (!content) return undefined;
  if (kind === 'c') {
    const place = { channel: Number(first), template: Number(second), page: third, language: last };
    return channelView(content, previewed, place);
  }
  if (kind !== 't') return undefined;
  const template = Number(first);
  const editing = edits && { texts: editingOf(places, { template, page, isStale }, edits) };
  return viewOf(content, previewed, { template, state: second, language: third, page, ...editing });
}

/** `page`: the JSON Pointer of the page in the file, while the file has no errors. */
type PageEdits = Edits & { page: string | undefined };

/** Marks the texts that can be changed, and lists them. @param places the JSON Pointers of pages and blocks by their ids */
const editingOf =
  (
    places: ReadonlyMap<string, string>,
    {
      template: index,
      page,
      isStale = false,
    }: { template: number; page: string | undefined; isStale?: boolean | undefined },
    edits: PageEdits,
  ): NonNullable<View['texts']> =>
  (shown, original, language) => {
    const at = original.template_pages.findIndex((each) => each.page.id === page);
    const { template, texts, fields } = marked(shown, original, language, at, (path) => {
      const [, pageAt, blockAt, rest = ''] =
        /^(?:\/template_pages\/(\d+)\/page)?(?:\/content_blocks\/(\d+))?(\/.*)$/.exec(path) ?? [];
      const owner = pageAt === undefined ? original : original.template_pages[Number(pageAt)]!.page;
      const part = blockAt === undefined ? owner : owner.content_blocks[Number(blockAt)]!;
      const place = part === original ? `/templates/${index}` : places.get(part.id);
      return place === undefined ? undefined : place + rest;
    });
    Object.assign(edits, { texts, fields, page: isStale ? undefined : places.get(page ?? '') });
    return template;
  };

/** Accepts every form, but records no view: a page that completes by viewing would never be shown as new. */
function acceptForm({ headers }: IncomingMessage, response: ServerResponse): void {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  response.writeHead(isForm ? 303 : 404, isForm ? { location: headers.referer ?? '/' } : {}).end();
}

/** Without the page's own policy, which forbids frames. Only the preview can frame it. */
const sendHtml = (response: ServerResponse, html: string): void =>
  void response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'self'",
    })
    .end(html);

/** Tells at once if the file has changed since the page was sent. @param shown the version that the page shows */
function sendChanges(file: string, listeners: Listeners, shown: string | null, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write('\n');
  listeners.set(response, shown);
  response.on('close', () => listeners.delete(response));
  report(file, listeners);
}

/** Tells the pages that show another version of the file that it has changed. While the file is missing, it tells none. */
function report(file: string, listeners: Listeners): void {
  const version = versionOf(file);
  if (version === undefined) return;
  for (const [listener, shown] of listeners) {
    if (shown !== version) listener.write('data: changed\n\n');
  }
}

/** Images and fonts come from the local service, if it runs. */
async function sendFile(dataDirectory: string, path: string, response: ServerResponse): Promise<void> {
  const base = runningService(dataDirectory)?.base_url;
  const found = base === undefined ? undefined : await fetch(new URL(path, base)).catch(() => undefined);
  if (!found?.ok) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': found.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await found.arrayBuffer()));
}
