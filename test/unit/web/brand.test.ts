import { describe, expect, test } from 'vitest';
import type { Template } from '../../../lib/domain/campaigns/template.ts';
import { brand, preview } from '../../../lib/web/brand.ts';
import { renderNotice } from '../../../lib/web/notice.ts';
import { blockOf, htmlOfBlocks } from '../../support/samples/rendered-blocks.ts';

const id = '6f1c4f0e-8f4f-4c42-9b5e-2b4f0c1d7a10';
const url = 'https://api.example.com/j/slug';
const bare = { content_blocks: [], template_pages: [] } as never as Template;
const withLogo: Template = { ...bare, name: 'Welcome "home"', logo_file_id: id };
const withoutLogo: Template = { ...bare, name: null, logo_file_id: null };

describe('the brand of a page', () => {
  test('is the logo, described by the name of the team', () => {
    expect(String(brand('First & Co', withLogo))).toBe(
      `<p class="brand"><img class="logo" src="/files/${id}" alt="First &amp; Co"></p>`,
    );
  });

  test('does not say the name twice', () => {
    expect(String(brand('First', withLogo, 'First'))).toContain('alt=""');
    expect(brand('First', withoutLogo, 'First')).toBe(false);
  });

  test.each([null, '', 'logo.png', 'https://evil.example/x', '"><script>'])(
    'is the name where the logo is %j',
    (logo) => {
      expect(String(brand('First', { ...bare, logo_file_id: logo }))).toBe('<p class="brand">First</p>');
    },
  );
});

describe('the preview of a link', () => {
  test('has the name of the campaign, and the logo by its whole URL', () => {
    const head = String(preview('First', withLogo, url));
    expect(head).toContain('<meta property="og:type" content="website">');
    expect(head).toContain('<meta property="og:title" content="Welcome &quot;home&quot;">');
    expect(head).toContain(`<meta property="og:image" content="https://api.example.com/files/${id}">`);
    expect(head).toContain(`<link rel="icon" href="/files/${id}">`);
  });

  test('has the name of the team where the campaign has none, and no image without a logo', () => {
    const head = String(preview('First', withoutLogo, url));
    expect(head).toContain('<meta property="og:title" content="First">');
    expect(head).not.toMatch(/og:image|icon/);
  });
});

describe('a notice', () => {
  const sender = {
    team: { name: 'First' },
    template: withLogo,
  };

  test('carries the name and the logo of the team where the URL tells whose it is', () => {
    const { html, headers } = renderNotice('expired', 'en', { sender });
    expect(html).toContain(`<img class="logo" src="/files/${id}" alt="First">`);
    expect(html).toMatch(/<title>.+ · First<\/title>/);
    expect(headers['content-security-policy']).toContain("img-src 'self' data:");
  });

  test('carries nobody’s name where the URL does not', () => {
    expect(renderNotice('unknown', 'en').html).not.toMatch(/class="brand"|<img|og:/);
  });
});

describe('a block with an image', () => {
  const rendered = (data: Record<string, string>) => htmlOfBlocks([blockOf('image', data)], {}, 'none');
  const data = 'data:image/png;base64,AAAA';

  test('shows the file that it names, before any data', () => {
    expect(rendered({ file_id: id.toUpperCase(), src: data, altText: 'A house' })).toContain(
      `<figure><img src="/files/${id}" alt="A house"></figure>`,
    );
  });

  test('shows its data where it names none, and its description where it has neither', () => {
    expect(rendered({ file_id: 'house.png', src: data })).toContain(`<img src="${data}" alt="">`);
    expect(rendered({ file_id: 'house.png', altText: 'A house' })).toContain('<p class="caption">A house</p>');
    expect(rendered({ file_id: 'house.png' })).not.toContain('<img');
  });
});
