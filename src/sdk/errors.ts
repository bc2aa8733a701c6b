import type { Answer, DataState } from "./answer.js";

/**
 * The base class of the errors that the client throws. After an abort, the client throws the reason of the signal
 * instead.
 */
export class VigilError extends Error {
  override readonly name: string = "VigilError";
}

/** No answer: the service is unreachable, or the connection broke. */
export class ConnectionError extends VigilError {
  override readonly name = "ConnectionError";
}

/** No answer within the time limit. */
export class TimeoutError extends VigilError {
  override readonly name = "TimeoutError";
}

/** An answer that a Vigil service would not send. It may come from a proxy, for example. */
export class MalformedAnswerError extends VigilError {
  override readonly name = "MalformedAnswerError";
}

/**
 * The data is in a state that the call does not accept. Without this error, an outage would look like an empty list.
 */
export class DataStateError extends VigilError {
  override readonly name = "DataStateError";
  readonly state: DataState;
  readonly answer: Answer<unknown>;

  constructor(message: string, state: DataState, answer: Answer<unknown>) {
    super(message);
    this.state = state;
    this.answer = answer;
  }
}

/**
 * A poll cannot continue from its cursor. Either the log no longer reaches back to the cursor, or the snapshot of the
 * cursor is no longer current. List again, and continue from the cursor of the new list.
 */
export class SnapshotRequiredError extends VigilError {
  override readonly name = "SnapshotRequiredError";
}

/** The facts of an answer with an error status. */
export interface ErrorAnswer {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Stable name of the failure; undefined for an answer without one, such as the page of a proxy. */
  readonly code: string | undefined;
  /** The reasons for the failure, one sentence each. */
  readonly reasons: readonly string[];
  /** The wait that the service requests before a retry. */
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  /** The parsed body, or its text if it is not JSON. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** An answer with an error status. Each subclass is a family of errors in the contract. */
export class ApiError extends VigilError implements ErrorAnswer {
  override readonly name: string = "ApiError";
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly reasons: readonly string[];
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  readonly body: unknown;
  readonly headers: Headers;

  constructor(answer: ErrorAnswer) {
    const { method, url, status, reasons } = answer;
    super(`${method} ${url} answered ${status}${reasons.length > 0 ? `: ${reasons.join("; ")}` : ""}`);
    this.method = method;
    this.url = url;
    this.status = status;
    this.code = answer.code;
    this.reasons = reasons;
    this.retryAfterMs = answer.retryAfterMs;
    this.requestId = answer.requestId;
    this.body = answer.body;
    this.headers = answer.headers;
  }
}

/** 400: a parameter or a member of the body is missing or malformed. `reasons` name them. */
export class ValidationError extends ApiError {
  override readonly name = "ValidationError";
}

/** 400: the `jmespath` expression is invalid or too costly, or its result is too large. */
export class ProjectionError extends ApiError {
  override readonly name = "ProjectionError";
}

/** 401: the credential is missing or invalid. */
export class UnauthorizedError extends ApiError {
  override readonly name = "UnauthorizedError";
}

/** 403: the credential, the plan or the origin does not permit the call. */
export class ForbiddenError extends ApiError {
  override readonly name = "ForbiddenError";
}

/**
 * 404: the path or the resource does not exist, or the resource belongs to another account. 405: the path does not have
 * this method.
 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409 or 422: the call conflicts with the current state, a limit of the account, or an earlier call. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 410: the position, the generation or the time is no longer kept. */
export class GoneError extends ApiError {
  override readonly name = "GoneError";
}

/** 429: a limit is used up. Calls are permitted again after `retryAfterMs`. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 503: the service, or a part of it, is temporarily unavailable. */
export class UnavailableError extends ApiError {
  override readonly name = "UnavailableError";
}

/** 500 and other server errors: a fault of the service, or of a proxy in front of it. */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
}
