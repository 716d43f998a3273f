import type { Event } from '../http/middleware.ts';
import { showChannelContent } from '../operations/show-channel-content.ts';
import type { RefusedForm } from '../web/blocks/context.ts';
import { contentReply } from './channel-page.ts';
import { journeyDependencies } from './content.ts';
import { framedNotice } from './pages.ts';
import { refusedForm, shownLanguageOf } from './refused-form.ts';

/**
 * The content of a form that could not be recorded, with what was entered.
 * @throws Problem if the content does not exist or cannot be read
 */
async function showAgain(event: Event, status: number, refused: RefusedForm) {
  const { channel_id = '', reference = '' } = event.pathParameters ?? {};
  const accepted = shownLanguageOf(event, refused);
  const reading = showChannelContent(journeyDependencies(), channel_id.toLowerCase(), reference, accepted);
  return contentReply(reading, reference, { status, refused });
}

export const renderRefused = refusedForm(showAgain, framedNotice);
