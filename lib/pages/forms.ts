import { type ProblemContext, problemReply, type RenderError } from '../http/errors.ts';

/**
 * Errors of an endpoint that scripts and forms send actions to. If a form was sent without a script, its error is a
 * page. Every other client gets JSON.
 * @param load loads the code that renders this page, which accepted actions do not need
 */
export const formErrors =
  <Dependencies>(
    dependencies: () => Dependencies,
    load: () => Promise<{ renderRefused: (dependencies: Dependencies) => RenderError }>,
  ): RenderError =>
  async (problem, context, event) => {
    if (!acceptsPage(context)) return problemReply(problem, context);
    const { renderRefused } = await load();
    return renderRefused(dependencies())(problem, context, event);
  };

/** Browsers accept HTML for forms that they send. The page's script does not. */
export const acceptsPage = ({ accept }: ProblemContext): boolean => accept?.includes('text/html') ?? false;
