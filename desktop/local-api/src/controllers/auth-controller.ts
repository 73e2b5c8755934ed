import {
  Body,
  NoSecurity,
  Post,
  Request,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from "@tsoa/runtime";
import type { Request as ExpressRequest } from "express";
import type { LocalLogin } from "../access/local-access.ts";
import type { LoginRequest } from "../access/login-request.ts";
import { exchangeOf } from "../http/exchange.ts";
import { DeviceController } from "./device-controller.ts";

@Route("api/auth")
@Tags("Login")
@Security("bearer")
export class AuthController extends DeviceController {
  /**
   * The signaling server named by `serverUrl` validates the account. The answer's token is good for 24 hours, for this
   * API alone, and ends when the local server stops. Ten attempts a minute are taken from one address.
   * @summary Log in
   * @returns A token of this API
   */
  @Post("login")
  @NoSecurity()
  @Response(401, "INVALID_CREDENTIALS")
  @Response(403, "NO_ALLOWED_SERVERS SERVER_NOT_ALLOWED ACCOUNT_NOT_ON_DEVICE")
  @Response(413, "PAYLOAD_TOO_LARGE")
  @Response(415, "UNSUPPORTED_MEDIA_TYPE")
  @Response(429, "RATE_LIMITED UPSTREAM_RATE_LIMITED")
  @Response(502, "UPSTREAM_UNREACHABLE")
  @Response(503, "UNAVAILABLE")
  async login(@Body() body: LoginRequest, @Request() request: ExpressRequest): Promise<LocalLogin> {
    return this.ports.access.login(body, {
      remoteAddress: request.socket.remoteAddress ?? "unknown",
      userAgent: request.headers["user-agent"] ?? null,
    });
  }

  /**
   * Ends the token that is presented; others stay.
   * @summary Log out
   */
  @Post("logout")
  @SuccessResponse(204, "The token is revoked")
  async logout(@Request() request: ExpressRequest): Promise<void> {
    const { token } = exchangeOf(request);
    if (token) this.ports.access.logout(token.id);
  }
}
