import { showChannelContent } from '../../operations/journeys/show-channel-content.ts';
import type { RefusedForm } from '../../web/blocks/context.ts';
import type { Event } from '../request.ts';
import { type ChannelPageService, contentReply } from './channel.ts';
import { framedNotice } from './notices.ts';
import { refusedForm, shownLanguageOf } from './refused-form.ts';

/**
 * The content of a form that could not be recorded, with what was entered.
 * @throws Problem if the content does not exist or cannot be read
 */
async function showAgain(service: ChannelPageService, event: Event, status: number, refused: RefusedForm) {
  const { channel_id = '', reference = '' } = event.pathParameters ?? {};
  const accepted = shownLanguageOf(event, refused);
  const reading = showChannelContent(service, channel_id.toLowerCase(), reference, accepted);
  return contentReply(service, reading, reference, { status, refused });
}

export const renderRefused = (service: ChannelPageService) =>
  refusedForm((...form) => showAgain(service, ...form), framedNotice);
