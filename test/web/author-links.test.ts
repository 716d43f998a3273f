import { expect, test } from 'vitest';
import { reasonForAuthors } from '../../lib/web/warnings/author-links.ts';
import { templateWith } from '../support/content-documents.ts';
import { button, inBlock, warningsOf } from '../support/content-warnings.ts';

test.each<[url: string, reason: RegExp]>([
  ['https://docs.google.com/document/d/1aB-2/edit?usp=sharing', /opens the document for editing: write the link/],
  ['https://docs.google.com/forms/d/1aB-2/edit', /for editing/],
  ['https://docs.google.com/spreadsheets/d/1aB-2/edit#gid=0', /for editing/],
  ['https://www.canva.com/design/DAF/abc/edit', /opens the design for editing/],
  ['https://www.figma.com/file/abc/Landing', /a design in Figma/],
  ['https://figma.com/proto/abc', /a design in Figma/],
  ['https://www.notion.so/bank/Rates-123', /a workspace in Notion/],
  ['https://www.dropbox.com/home/Campaign', /a Dropbox account/],
  ['https://bank.sharepoint.com/:w:/r/sites/a/b.docx', /SharePoint/],
  ['https://bank-my.sharepoint.com/personal/a/_layouts/15/onedrive.aspx', /SharePoint/],
  ['https://bank.example/wp-admin/post.php?post=3', /administration of the site/],
  ['https://bank.example/blog/wp-login.php', /administration of the site/],
  ['https://bank.example/rates?preview=true', /opens the preview of a page: write the URL of the published page/],
  ['https://bank.example/?p=3&preview_id=3', /preview/],
  ['https://bank.example/?p=3&preview_nonce=a1', /preview/],
  ['https://staging.bank.example/rates', /has the host `staging.bank.example`, which is probably that of a test/],
  ['https://www.staging.bank.example/', /test system/],
  ['https://www-uat.bank.example/', /test system/],
  ['https://online.preprod.bank.example/', /test system/],
  ['https://dev.bank.example/', /test system/],
  ['https://qa.online.bank.example/', /test system/],
  ['https://bank-staging.example/', /test system/],
  ['https://a1b2.ngrok-free.app/j', /test system/],
])('%s is for authors', (url, reason) => {
  expect(reasonForAuthors(url)).toMatch(reason);
});

test.each([
  'https://docs.google.com/document/d/e/2PACX/pub',
  'https://docs.google.com/forms/d/e/1FA/viewform',
  'https://docs.google.com/document/d/1aB/preview',
  'https://drive.google.com/file/d/1aB/view',
  'https://www.canva.com/design/DAF/abc/view',
  'https://www.figma.com/',
  'https://bank.notion.site/Rates',
  'https://www.dropbox.com/s/abc/rates.pdf?dl=0',
  'https://www.dropbox.com/scl/fi/abc/rates.pdf',
  'https://bank.sharepoint.com/:b:/s/public/abc',
  'https://bank.example/wp-content/uploads/rates.pdf',
  'https://bank.example/edit',
  'https://bank.example/preview',
  'https://bank.example/?preview=false',
  'https://bank.example/?preview=summer',
  'https://dev.to/article',
  'https://uat.example/',
  'https://qa.example/',
  'https://developer.bank.example/',
  'https://devon.bank.example/',
  'https://test.bank.example/',
  'https://stage.bank.example/',
  'https://my-dev-club.bank.example/',
  'https://upstaging.bank.example/',
  'https://bank.example/staging',
  'mailto:dev@staging.bank.example',
  'tel:+15550100199',
  'not a URL',
])('%s is for everybody', (url) => {
  expect(reasonForAuthors(url)).toBeUndefined();
});

const link = (url: string) => button({ text: 'A', url });

test('the warning is at the link', () => {
  expect(warningsOf(link('https://bank.example/rates?preview=true'))).toEqual([
    `${inBlock}/data/url is probably not the link for people, because it opens the preview of a page: write the URL of the published page`,
  ]);
  const document = templateWith(
    { completion_condition: 'view' },
    { footer_content: { links: [{ text: 'A', url: 'https://dev.bank.example/a' }] } },
  );
  expect(warningsOf(document)).toEqual([expect.stringContaining('probably that of a test system')]);
});

test.each([
  'https://user:password@bank.example/a',
  'https://user@bank.example/',
  'https://user:pass@',
  'https://{{meta_public.id}}:x@bank.example/',
])('%s has a user name, which pages do not link to', (url) => {
  expect(warningsOf(link(url))).toEqual([
    `${inBlock}/data/url cannot be a link, because it has a user name or a password before the host: write only the host after \`https://\``,
  ]);
});

test.each(['https://bank.example/@user', 'https://bank.example/?to=a@bank.example', 'https://bank.example#a@b'])(
  '%s has none',
  (url) => {
    expect(warningsOf(link(url))).toEqual([]);
  },
);
