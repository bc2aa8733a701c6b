/* The public entry `vigil/sdk`. */

export type { Answer, DataState, Generation, Meaning } from "./answer.js";
export type { ChangeEvent, ReadyEvent, SnapshotRequiredEvent, StreamEvent } from "./change-event.js";
export { createVigil } from "./create-vigil.js";
export {
  type IdentifiedRow,
  type ListChange,
  type ListChanges,
  type ListOutage,
  type ListReset,
  type ListStep,
  rowsAfter,
} from "./deltas.js";
export {
  ApiError,
  ConflictError,
  ConnectionError,
  DataStateError,
  ForbiddenError,
  GoneError,
  MalformedAnswerError,
  NotFoundError,
  ProjectionError,
  RateLimitError,
  ServerError,
  SnapshotRequiredError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
  VigilError,
} from "./errors.js";
export type * from "./generated/calls.js";
export type * from "./generated/schemas.js";
export type { Services } from "./generated/services.js";
export type {
  CallName,
  ChangingName,
  DataOf,
  ListName,
  PagedName,
  ParamsOf,
  PolledName,
  StreamName,
  WriteName,
} from "./methods.js";
export type { CacheLimits, CallOptions, Retry, VigilOptions, WriteOptions } from "./options.js";
export type { Instant, Projection, SinceGeneration } from "./params.js";
export type { Platform } from "./platform.js";
export type { PollOptions } from "./polls.js";
export type { Reconnection, StreamOptions } from "./streams.js";
export type { Vigil } from "./vigil.js";
