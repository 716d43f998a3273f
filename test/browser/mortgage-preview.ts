import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPreview } from '../../bin/preview/server.ts';
import { read } from '../support/architecture/sources.ts';

/** The preview of a campaign with all types of blocks, private values, long labels and a channel. */
export async function mortgagePreview(): Promise<{ url: string; close(): void }> {
  const document = JSON.parse(read('examples/mortgage.json'));
  const [template] = document.templates;
  const [, second, , last] = template.template_pages.map(({ page }: { page: object }) => page);
  const channelId = crypto.randomUUID();
  const [plans, , more] = second.content_blocks[0].data.questions;
  plans.required = true;
  more.required = true;
  second.content_blocks.push({ type: 'text', data: { body: 'Yours: {{meta_private.limit}}' } });
  last.content_containers = [{ engagement_channel_id: channelId, content_blocks: last.content_blocks }];
  last.navigation_title = 'Your consent';
  // The longest word of a label, which must not be cut.
  template.translations.es['Your consent'] = 'Su consentimiento';
  document.engagement_channels = [{ id: channelId, name: 'Web', show_navigation: true }];
  const folder = mkdtempSync(join(tmpdir(), 'mortgage-'));
  const file = join(folder, 'campaign.json');
  writeFileSync(file, JSON.stringify(document));
  const preview = await startPreview({ file, port: 0, dataDirectory: folder });
  return {
    url: preview.url,
    close: () => {
      preview.close();
      rmSync(folder, { recursive: true });
    },
  };
}
