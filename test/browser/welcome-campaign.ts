import { campaign, type TestJourney, testPage } from '../support/service/journeys.ts';
import { service } from '../support/service/service.ts';

export const block = (type: string, data: object, order = 1) => ({ type, order, data });
export const pages = {
  view: testPage('view', { navigation_title: 'Look around', content_blocks: [block('heading', { heading: 'Hello' })] }),
  agree: testPage('confirm', {
    navigation_title: 'Agree',
    completion_message: 'We know.',
    content_blocks: [
      block('agreement', {
        heading: 'Terms',
        agreementText: 'I agree to whatever is written in the document below.',
        disagreeText: 'No, thanks',
        declinedConfirmationText: 'Nothing changes.',
        acceptedConfirmationText: 'Thank you for agreeing.',
        signatureBoxText: 'Your full name',
      }),
    ],
  }),
  act: testPage('action', {
    navigation_title: 'Act',
    content_blocks: [block('button', { text: 'Call us', url: 'tel:+15550100' })],
  }),
  confirm: testPage('confirm', {
    navigation_title: 'Confirm',
    content_blocks: [block('text', { body: 'All right?' })],
  }),
  end: testPage(null, {
    navigation_title: 'Survey',
    content_blocks: [block('survey', { questions: [{ text: 'How was it?', scale: [1, 5] }] })],
  }),
};
/** A new team with one campaign of these pages. */
export const going = async () =>
  campaign(await service(), Object.values(pages), { journey_title_options: { type: 'CUSTOM', custom: 'Our way' } });

export const progressOf = (of: Awaited<ReturnType<typeof going>>, journey: TestJourney) => async () => {
  const { pages_viewed, pages_completed, is_completed } = await of.analytics(journey);
  const names = (ids: string[]) => ids.map((id) => Object.entries(pages).find(([, page]) => page.id === id)![0]);
  return { viewed: names(pages_viewed), completed: names(pages_completed), is_completed };
};
