import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal site of a partner on its own origin that embeds channel content. */
export type PartnerSite = { url: string; close(): void };

const style = `
*{box-sizing:border-box}body{margin:0;background:#eef1f2;color:#22303a;font:15px/1.5 "Open Sans",system-ui,sans-serif}
header{background:#12343b;color:#fff;padding:0 max(1.2rem,calc(50vw - 34rem));display:flex;align-items:center;justify-content:space-between;height:3.6rem}
header b{font-size:1.05rem;letter-spacing:-.01em}header span{opacity:.85;font-size:.9rem}
main{max-width:68rem;margin:0 auto;padding:1.8rem 1.2rem 3rem;display:grid;gap:1.3rem}
h1{font-size:1.45rem;margin:0;letter-spacing:-.015em}h2{font-size:.8rem;letter-spacing:.05em;text-transform:uppercase;color:#54646d;margin:0 0 .7rem}
.card{background:#fff;border-radius:12px;padding:1.2rem 1.4rem;box-shadow:0 1px 2px rgb(0 0 0/.06)}
.row{display:flex;justify-content:space-between;gap:1rem;padding:.7rem 0;border-top:1px solid #e7ebed}.row:first-of-type{border:0}
.row b{font-variant-numeric:tabular-nums}.row small{display:block;color:#61717a}
iframe{display:block;width:100%;height:320px;border:0;border-radius:12px;background:#fff;box-shadow:0 1px 2px rgb(0 0 0/.06)}
@media (max-width:480px){header span{display:none}}`;

const pageAround = (url: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Online banking</title><style>${style}</style></head>
<body><header><b>Cedar Valley Online</b><span>Jana Novotna · Sign out</span></header><main><h1>Good morning, Jana</h1>
<iframe title="For you" src="${url}" sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"></iframe>
<section class="card"><h2>Accounts</h2><div class="row"><div>Share savings<small>··4417</small></div><b>$25.00</b></div>
<div class="row"><div>Everyday checking<small>··9026</small></div><b>$1,204.18</b></div></section></main></body></html>`;

/** @param url the content that the page embeds */
export async function startPartnerSite(url: string): Promise<PartnerSite> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(pageAround(url)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
