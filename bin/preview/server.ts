import { randomUUID } from 'node:crypto';
import { readFileSync, watch, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, dirname, resolve } from 'node:path';
import type { WebPage } from '../../lib/web/document.ts';
import { endingName } from '../../lib/web/journey/input.ts';
import { runningService } from '../local/description.ts';
import { hasOwnHost, listen } from '../local/ports.ts';
import { contentOf } from './content.ts';
import { changedText, type EditableText, marked } from './edit.ts';
import { shell } from './shell.ts';
import { channelView, previewed, type State, states, type View, viewOf } from './views.ts';

export type PreviewOptions = { file: string; port: number; dataDirectory: string };

/** Serves the preview on the loopback interface. It reads the file again for every request, and writes changed texts. */
export async function startPreview(options: PreviewOptions): Promise<{ url: string; close(): Promise<void> }> {
  const listeners = new Set<ServerResponse>();
  const token = randomUUID();
  const server = createServer((request, response) => {
    respond(options, token, listeners, request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(String(error));
    });
  });
  const watcher = watchFile(options.file, () => {
    for (const listener of listeners) listener.write('data: changed\n\n');
  });
  const { endpoint, stop } = await listen(server, options.port);
  const close = () => {
    watcher.close();
    return stop();
  };
  return { url: `${endpoint}/`, close };
}

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
  listeners: Set<ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!hasOwnHost(request)) return void response.writeHead(403).end();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://preview');
  const [kind, ...parts] = pathname.split('/').slice(1).map(decodeURIComponent);
  if (pathname === '/') return sendHtml(response, shell(basename(file), contentOf(file), token));
  if (pathname === '/events') return sendChanges(listeners, response);
  if (kind === 'files') return sendFile(dataDirectory, pathname, response);
  if (pathname === '/texts') return saveText(file, token, request, response);
  if (request.method === 'POST') return acceptForm(request, response);
  const [template, state, language] = parts;
  // Only a journey whose pages are answered has an ending.
  if (kind === 't' && searchParams.get('page') === endingName && state !== 'answered') {
    const location = `/t/${template}/answered/${language}?page=${endingName}`;
    return void response.writeHead(302, { location }).end();
  }
  const { content, pages } = contentOf(file);
  const id = searchParams.get('page') ?? searchParams.get('after');
  const texts: EditableText[] = [];
  const editing = searchParams.has('edit') ? editingOf(pages, Number(template), texts) : {};
  const shown = content && { content, page: id, ...editing };
  const page = shown && (kind === 'j' ? answeredPage(request, shown) : pageAt(kind, parts, shown));
  if (!page) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
  const html = searchParams.has('dark') ? page.html.replaceAll('(prefers-color-scheme:dark)', 'all') : page.html;
  const list = JSON.stringify(texts).replaceAll('<', '\\u003c');
  sendHtml(
    response,
    searchParams.has('edit') ? `${html}<script type="application/json" id="texts">${list}</script>` : html,
  );
}

/** Marks the texts that can be changed, and lists them. @param pages the JSON Pointers of the pages by their ids */
function editingOf(pages: ReadonlyMap<string, string>, index: number, list: EditableText[]): Pick<View, 'texts'> {
  return {
    texts: (shown, original, language) => {
      const made = marked(shown, original, language, (path) => {
        const [, page, rest] = /^\/template_pages\/(\d+)\/page(\/.*)$/.exec(path) ?? [];
        if (page === undefined) return `/templates/${index}${path}`;
        const at = pages.get(original.template_pages[Number(page)]!.page.id);
        return at === undefined ? undefined : at + rest;
      });
      list.push(...made.texts);
      return made.template;
    },
  };
}

/** Writes one text into the file. Other sites do not know the token, and browsers name them in `Origin`. */
async function saveText(file: string, token: string, request: IncomingMessage, response: ServerResponse) {
  const { origin, host, 'x-preview-token': given } = request.headers;
  const isOwn = given === token && (origin === undefined || origin === `http://${host}`);
  if (request.method !== 'POST' || !isOwn) {
    return void response.writeHead(403).end();
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { path, before, text } = JSON.parse(Buffer.concat(parts).toString());
  const whole = readFileSync(file, 'utf8');
  const written = whole.replace(/^\uFEFF/, '');
  const changed = [path, before, text].every((each) => typeof each === 'string')
    ? changedText(written, { path, text: before }, text)
    : undefined;
  if (changed === undefined) return void response.writeHead(409).end();
  writeFileSync(file, (whole === written ? '' : '\uFEFF') + changed);
  response.writeHead(204).end();
}

/** Accepts every form, but records no view: a page that completes by viewing would never be shown as new. */
function acceptForm({ headers }: IncomingMessage, response: ServerResponse): void {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  response.writeHead(isForm ? 303 : 404, isForm ? { location: headers.referer ?? '/' } : {}).end();
}

/** What the script of a page loads after its form was accepted: the same page with its answer. */
function answeredPage({ headers }: IncomingMessage, shown: Shown): WebPage | undefined {
  const [, kind, template = '', , language = ''] = new URL(headers.referer ?? '/', 'http://preview').pathname.split(
    '/',
  );
  return kind === 't' ? pageAt(kind, [template, 'answered', language], shown) : undefined;
}

type Shown = Pick<View, 'texts'> & {
  content: NonNullable<ReturnType<typeof contentOf>['content']>;
  page: string | null;
};

function pageAt(kind: string | undefined, parts: string[], { content, page, texts }: Shown): WebPage | undefined {
  if (kind === 't') {
    const [template, state = '', language] = parts;
    if (!(states as readonly string[]).includes(state)) return undefined;
    return viewOf(content, previewed, {
      template: Number(template),
      state: state as State,
      language,
      page: page ?? undefined,
      ...(texts ? { texts } : {}),
    });
  }
  const [channel, template, id = '', language] = parts;
  if (kind !== 'c') return undefined;
  return channelView(content, previewed, {
    channel: Number(channel),
    template: Number(template),
    page: id,
    language,
  });
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

function sendChanges(listeners: Set<ServerResponse>, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).write('\n');
  listeners.add(response);
  response.on('close', () => listeners.delete(response));
}

/** Images and fonts come from the local service, if it runs. */
async function sendFile(dataDirectory: string, path: string, response: ServerResponse): Promise<void> {
  const base = runningService(dataDirectory)?.base_url;
  const found = base === undefined ? undefined : await fetch(new URL(path, base)).catch(() => undefined);
  if (!found?.ok) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': found.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await found.arrayBuffer()));
}
