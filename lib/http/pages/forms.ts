import { problemReply, type RenderError } from '../errors.ts';
import type { Event } from '../request.ts';

/**
 * Errors of an endpoint that scripts and forms send actions to. If a form was sent without a script, its error is a
 * page. Every other client gets JSON.
 * @param load loads the code that renders this page, which accepted actions do not need
 */
export const formErrors =
  <Service>(
    service: () => Service,
    load: () => Promise<{ renderRefused: (service: Service) => RenderError }>,
  ): RenderError =>
  async (problem, event) => {
    if (!acceptsPage(event)) return problemReply(problem, event);
    const { renderRefused } = await load();
    return renderRefused(service())(problem, event);
  };

/** Browsers accept HTML for forms that they send. The page's script does not. */
export const acceptsPage = ({ headers }: Event): boolean => headers.accept?.includes('text/html') ?? false;
