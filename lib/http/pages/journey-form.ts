import { journeyKeyOfSlug, openJourney } from '../../operations/journeys/show.ts';
import type { RecordDependencies } from '../../operations/service.ts';
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
async function showAgain(dependencies: RecordDependencies, event: Event, status: number, refused: RefusedForm) {
  const key = await journeyKeyOfSlug(dependencies.database, event.pathParameters?.slug ?? '');
  const view = await openJourney(dependencies, key, { page: refused.fields.page_id }, shownLanguageOf(event, refused));
  if (view.closed) return { ...noticeReply(view.closed, view.language, view), status };
  return journeyReply(dependencies, view, event, status, { refused });
}

export const renderRefused = (dependencies: RecordDependencies) =>
  refusedForm((...form) => showAgain(dependencies, ...form), renderNotice);
