import { showChannelContent } from '../../operations/journeys/show-channel-content.ts';
import type { RecordDependencies } from '../../operations/service.ts';
import type { RefusedForm } from '../../web/blocks/context.ts';
import type { Event } from '../request.ts';
import { type ChannelPageDependencies, contentReply } from './channel.ts';
import { framedNotice } from './notices.ts';
import { refusedForm, shownLanguageOf } from './refused-form.ts';

type Dependencies = RecordDependencies & ChannelPageDependencies;

/**
 * The content of a form that could not be recorded, with what was entered.
 * @throws Problem if the content does not exist or cannot be read
 */
async function showAgain(dependencies: Dependencies, event: Event, status: number, refused: RefusedForm) {
  const { channel_id = '', reference = '' } = event.pathParameters ?? {};
  const accepted = shownLanguageOf(event, refused);
  const reading = showChannelContent(dependencies, channel_id.toLowerCase(), reference, accepted);
  return contentReply(dependencies, reading, reference, { status, refused });
}

export const renderRefused = (dependencies: Dependencies) =>
  refusedForm((...form) => showAgain(dependencies, ...form), framedNotice);
