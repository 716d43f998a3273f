import type { Contract } from '../http/contract.ts';
import type { Handler } from '../http/endpoint.ts';
import { type ProblemContext, problemReply, type RenderError } from '../http/errors.ts';
import type { HttpHandler } from '../http/handler.ts';
import { publicEndpoint } from './base.ts';

/**
 * An endpoint that scripts and forms send actions to. If a form was sent without a script, its error is a page. Every
 * other client gets JSON.
 * @param load loads the code that renders this page, which accepted actions do not need
 */
export const formEndpoint = <Of extends Contract>(
  contract: Of,
  handle: Handler<Of>,
  load: () => Promise<{ renderRefused: RenderError }>,
): HttpHandler =>
  publicEndpoint(contract, handle, async (problem, context, event) => {
    if (!acceptsPage(context)) return problemReply(problem, context);
    const { renderRefused } = await load();
    return renderRefused(problem, context, event);
  });

/** Browsers accept HTML for forms that they send. The page's script does not. */
export const acceptsPage = ({ accept }: ProblemContext): boolean => accept?.includes('text/html') ?? false;
