import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { embedding, pageFor } from '../support/service/channels.ts';
import { service } from '../support/service/service.ts';
import { axeFindings } from './axe.ts';
import { browserTest, newContext } from './browser.ts';

const api = await service();

const card = { type: 'card', order: 1, data: { heading: 'Your new card', body: 'It is on its way.' } };

/** A site with this color behind a frame of the content, and its color scheme. */
async function hostOf(path: string, colorScheme: string): Promise<string> {
  const html = `<!doctype html><html lang="en"><title>Bank</title><style>:root{color-scheme:${colorScheme}}
body{margin:0;background:#402}</style><iframe title="For you" src="${api.baseUrl}${path}" width="300" height="200" style="border:0"></iframe>`;
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const content = async (theme_styles: object) =>
  (
    await (
      await embedding(api, (id) => [pageFor(id, 'confirm', { container: { content_blocks: [card] } })], {
        theme_styles,
      })
    ).person()
  ).path;

browserTest.each<
  [what: string, palette: object, scheme: string, device: 'light' | 'dark', ground: string, text: string]
>([
  ['on a site without dark colors', { primary: '#0f5257' }, 'light', 'dark', '68,0,34', 'rgb(27, 34, 44)'],
  ['on a site by day', { dark: true }, 'light dark', 'light', '68,0,34', 'rgb(27, 34, 44)'],
  ['on a site in the dark', { dark: true }, 'light dark', 'dark', '68,0,34', 'rgb(233, 236, 241)'],
  ['with a background of its own', { surface: '#fff4e0' }, 'light', 'light', '255,244,224', 'rgb(27, 34, 44)'],
])(
  'content in a frame shows what is behind it, without a card in it, %s',
  async (_, palette, scheme, device, ground, text) => {
    const page = await (await newContext({ colorScheme: device, viewport: { width: 320, height: 240 } })).newPage();
    await page.goto(await hostOf(await content({ palette }), scheme));
    const frame = page.frames()[1]!;
    const shown = await frame.evaluate<string[]>(
      `(({color})=>[color,...(({borderTopWidth,paddingTop,backgroundColor})=>[borderTopWidth,paddingTop,backgroundColor])(getComputedStyle(document.querySelector(".card")))])(getComputedStyle(document.querySelector(".card h2")))`,
    );
    expect(shown).toEqual([text, '0px', '0px', 'rgba(0, 0, 0, 0)']);
    const corner = (await page.screenshot({ clip: { x: 290, y: 190, width: 1, height: 1 } })).toString('base64');
    const color =
      await page.evaluate(`(async()=>{const image=new Image();image.src="data:image/png;base64,${corner}";await image.decode();
const canvas=document.createElement("canvas");canvas.width=canvas.height=1;const context=canvas.getContext("2d");context.drawImage(image,0,0);
return [...context.getImageData(0,0,1,1).data].slice(0,3).join()})()`);
    expect(color).toBe(ground);
    expect(await axeFindings(frame, { only: ['button-name', 'heading-order', 'region'] })).toEqual([]);
  },
);
