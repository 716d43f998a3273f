import { describe, expect, test } from 'vitest';
import { contentDocument } from '../../../lib/domain/campaigns/document.ts';
import { linked } from '../../../lib/domain/campaigns/link.ts';
import { renderChannelContent } from '../../../lib/web/channel/content.ts';
import type { ChannelContentInput, OfferedInput } from '../../../lib/web/channel/input.ts';

const text = (body: string) => ({ type: 'text', order: 1, data: { body } });

/** The input of the page, created from an imported document. */
type Given = { channel?: object; page?: object; container?: object; template?: object };
function inputOf({ channel = {}, page = {}, container = {}, template: given = {} }: Given) {
  const ids = () => crypto.randomUUID();
  const channelId = ids();
  const blocks = (each: object[]) => each.map((block) => ({ id: ids(), ...block }));
  const { content_blocks = [text('Hello {{name_first}}')], ...rest } = container as { content_blocks?: object[] };
  const own = { id: ids(), engagement_channel_id: channelId, content_blocks: blocks(content_blocks), ...rest };
  const document = contentDocument.parse({
    engagement_channels: [{ id: channelId, name: 'Web', ...channel }],
    templates: [
      { id: ids(), template_pages: [{ id: ids(), page: { id: ids(), content_containers: [own], ...page } }], ...given },
    ],
  });
  const none = { objectives: [], engagement_channels: [], templates: [] };
  const content = linked(document as Parameters<typeof linked>[0], none, { teamId: ids(), team: null });
  const [template] = content.templates;
  const shown = template!.template_pages[0]!;
  const offered: OfferedInput = {
    template: template!,
    shown,
    container: shown.page.content_containers[0]!,
    contact: { name_first: 'Jana' } as OfferedInput['contact'],
    identityNeed: undefined,
    answers: new Map(),
    account: undefined,
    isCompleted: false,
    address: '/c/1/r',
    journeyUrl: 'https://a.example/j/s',
    around: [{ title: 'Hello', address: '/c/1/r', isShown: true }],
  };
  const input: ChannelContentInput = {
    language: null,
    channel: content.engagement_channels[0]!,
    teamName: 'Cedar Valley',
    frameAncestors: "'none'",
    offered,
  };
  return { ...input, offered };
}
const rendered = (input: ChannelContentInput): string => renderChannelContent(input).html;

describe('the box', () => {
  test.each([
    [{ width: 420, height: '260px' }, 'width:420px;height:260px'],
    [{ width: '100%', height: '20rem' }, 'width:100%;height:20rem'],
    [{ width: '50vw', height: '12.5em' }, 'width:50vw;height:12.5em'],
    [{ width: '320', height: ' 90VH ' }, 'width:320px;height:90vh'],
    [null, 'width:100%;height:100%'],
    [{ width: null, height: true }, 'width:100%;height:100%'],
    [{ width: 0, height: '0px' }, 'width:100%;height:100%'],
    [{ width: -5, height: '-5px' }, 'width:100%;height:100%'],
    [{ width: '9999999px', height: 'calc(1px)' }, 'width:100%;height:100%'],
    [{ width: '1px}*{color:red', height: '1px;color:red' }, 'width:100%;height:100%'],
    [{ width: { px: 1 }, height: [1] }, 'width:100%;height:100%'],
  ])('of a channel with %j is %s', (properties, css) => {
    expect(rendered(inputOf({ channel: { properties } }))).toContain(`.box{${css}}`);
  });
});

describe('the content', () => {
  test.each([
    ['grid', '<div class="grid">'],
    [null, '<div class="grid">'],
    ['none', '<div class="stack">'],
    ['table', '<div class="stack rows">'],
  ])('with the layout %j is a %s', (layout_basis, html) => {
    expect(rendered(inputOf({ container: { layout_basis } }))).toContain(html);
  });

  test('has the styles of the channel, then those of the container, all of them confined', () => {
    const theme_styles = {
      palette: { primary: '#123456' },
      custom: { color: 'red' },
      overrides: { palette: { primary: '#654321' }, h2: { color: 'blue' } },
    };
    const container = { styles: { padding: '9px' }, css: 'nav, p { margin: 0 }' };
    const html = rendered(inputOf({ channel: { theme_styles }, container }));
    expect(html).toContain('--primary:#654321');
    expect(html).toContain('#campaign{color:red}#campaign h2{color:blue}#campaign{padding:9px}');
    expect(html).toContain('#campaign nav,#campaign p{margin:0}');
  });

  const campaign = {
    theme_base: { palette: { primary: '#0b6e4f', surface: '#f4fff9' } },
    theme: { typography: { body: 'Georgia' }, button_radius: '20px' },
    styles: { overrides: { palette: { secondary: '#aa3366', dark: { surface: '#000000' } } } },
  };
  const [primary, surface, font] = ['--primary:#0b6e4f', '--surface:#f4fff9', '--body-font:"Georgia"'];

  test.each<[what: string, theme_styles: object | null, shown: string[], not: string[]]>([
    ['the theme of its campaign', null, [primary, surface, '--accent:#aa3366', font, '--radius:20px'], []],
    ['the theme of its campaign, without dark colors', null, [primary], ['#000000', 'prefers-color-scheme']],
    [
      'the dark colors of its campaign if the channel says so',
      { palette: { dark: true } },
      [primary, surface, 'color-scheme:light dark', '--surface:#000000'],
      ['.box{background'],
    ],
    [
      'its own dark colors',
      { palette: { primary: '#7a1f5c', dark: { surface: '#201020' } } },
      ['prefers-color-scheme:dark', '--surface:#201020'],
      ['#000000', '.box{background'],
    ],
    [
      'a background if the channel names one',
      { palette: { surface: '#fff4e0' } },
      ['.box{background:var(--surface)}'],
      [],
    ],
    ['that of its campaign if the channel has empty ones', { palette: {}, typography: {} }, [primary, font], []],
    [
      'the palette of the channel as a whole',
      { palette: { primary: '#7a1f5c' } },
      ['--primary:#7a1f5c', font],
      [surface],
    ],
    [
      'the palette of the overrides of the channel as a whole',
      { overrides: { palette: { surface: '#fff4e0' } } },
      ['--surface:#fff4e0', '--primary:#1f4e79'],
      [primary],
    ],
    ['the fonts of the channel', { typography: { heading: 'Arial' } }, [primary, '"Arial"'], [font]],
    ['no palette below colors of the channel', { custom: { h2: { color: '#222222' } } }, [font], [primary, surface]],
    ['no palette below other colors of the channel', { overrides: { h2: { background: '#eee' } } }, [font], [primary]],
    ['the theme below styles of the channel without colors', { custom: { h2: { padding: 4 } } }, [primary, font], []],
  ])('has %s', (_what, theme_styles, shown, not) => {
    const html = rendered(inputOf({ channel: { theme_styles }, template: campaign }));
    for (const each of shown) expect(html).toContain(each);
    for (const each of not) expect(html).not.toContain(each);
  });

  test('of the channel for everybody has the theme of no campaign', () => {
    const input = inputOf({ channel: { default_content: { content_blocks: [] } }, template: campaign });
    expect(rendered({ ...input, offered: undefined })).not.toContain(primary);
  });

  test.each([
    ['its navigation title', { navigation_title: 'Look', content_name: 'Name' }, 'Look'],
    ['its content name', { content_name: 'Name' }, 'Name'],
    ['nothing', {}, 'For you'],
  ])('is called as the page, by %s', (_, page, title) => {
    const html = rendered(inputOf({ page }));
    expect(html).toContain(`<title>${title} · Cedar Valley</title>`);
    expect(html).toContain(`<main tabindex="0" aria-label="${title}" data-page=`);
  });

  test('does not take the way to the journey for the action of the page', () => {
    const button = (url: string) => ({ type: 'button', data: { text: 'Go', url } });
    const blocks = [button('{{journey_url}}'), button('https://b.example/')];
    const html = rendered(inputOf({ page: { completion_condition: 'action' }, container: { content_blocks: blocks } }));
    expect(html).toContain('<p class="call"><a class="button" href="https://a.example/j/s"');
    expect(html.match(/data-completes="/g)).toHaveLength(1);
  });

  test('says what the page says of its completion, and asks for nothing any more', () => {
    const page = { completion_condition: 'confirm', completion_message: 'Done, {{name_first}}.' };
    const { offered, ...input } = inputOf({ page, container: { content_blocks: [{ type: 'confirm' }] } });
    const open = rendered({ ...input, offered });
    expect([open.includes('Done, Jana.'), open.includes('<form')]).toEqual([false, true]);
    const done = rendered({ ...input, offered: { ...offered, isCompleted: true } });
    expect([done.includes('Done, Jana.'), done.includes('<form')]).toEqual([true, false]);
  });
});

describe('the navigation', () => {
  test('of one page is the way to the journey alone', () => {
    const html = rendered(inputOf({ channel: { show_navigation: true } }));
    expect(html).toContain('<nav class="bar" aria-label="More for you"><a class="whole" href="https://a.example/j/s"');
  });

  test('is not there with the default content', () => {
    const { offered, ...input } = inputOf({ channel: { show_navigation: true } });
    expect(rendered({ ...input, offered: undefined })).not.toContain('<nav');
  });
});

test('content shows the date of an answer in the time zone of the contact', () => {
  const input = inputOf({
    page: { completion_condition: 'confirm' },
    container: { content_blocks: [{ type: 'agreement', order: 1, data: { agreementText: 'I agree' } }] },
  });
  const id = input.offered.container.content_blocks[0]!.id;
  const answer = {
    id: 'r',
    page_id: 'p',
    block_id: id,
    answer: 'accepted',
    at: '2026-03-27T23:30:00.000000Z',
  } as const;
  const shownIn = (timezone: string) =>
    rendered({
      ...input,
      offered: {
        ...input.offered,
        contact: { ...input.offered.contact, timezone },
        isCompleted: true,
        answers: new Map([[id, answer]]),
      },
    });
  expect(shownIn('Asia/Tokyo')).toContain('March 28, 2026');
  expect(shownIn('Tokyo')).toContain('March 27, 2026');
});
