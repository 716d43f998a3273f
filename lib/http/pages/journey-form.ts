import { journeyKeyOfSlug, openJourney } from '../../operations/journeys/show.ts';
import type { JourneyService } from '../../operations/service.ts';
import type { RefusedForm } from '../../web/blocks/context.ts';
import { renderNotice } from '../../web/notice.ts';
import type { Event } from '../request.ts';
import { journeyReply } from './journey.ts';
import { noticeReply } from './notices.ts';
import { refusedForm, shownLanguageOf } from './refused-form.ts';

/**
 * The page of a form that could not be recorded, with what was entered. If the journey cannot be shown, a notice.
 * @throws Problem if the journey does not exist or cannot be read
 */
async function showAgain(service: JourneyService, event: Event, status: number, refused: RefusedForm) {
  const key = await journeyKeyOfSlug(service.database, event.pathParameters?.slug ?? '');
  const view = await openJourney(service, key, { page: refused.fields.page_id }, shownLanguageOf(event, refused));
  if (view.closed) return { ...noticeReply(view.closed, view.language, view), status };
  return journeyReply(service, view, event, status, { refused });
}

export const renderRefused = (service: JourneyService) =>
  refusedForm((...form) => showAgain(service, ...form), renderNotice);
