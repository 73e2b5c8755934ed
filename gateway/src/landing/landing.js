const REFRESH_MS = 15_000;
const ASK_LIMIT_MS = 5_000;
const STATES = { ready: "Ready", not_ready: "Not ready", unreachable: "Unreachable" };
const SUMMARIES = {
  ok: "The server is running.",
  degraded: "The server is running, but not every service is ready.",
  unreachable: "The server does not answer. Trying again…",
};

const element = (id) => document.getElementById(id);

function showAddresses() {
  const socket = location.origin.replace(/^http/, "ws");
  const addresses = { http: location.origin, ws: `${socket}/ws`, socketio: `${location.origin}/socket.io/` };
  for (const code of document.querySelectorAll("[data-address]")) {
    code.textContent = addresses[code.dataset.address];
  }
}

function showSummary(state) {
  const summary = element("summary");
  if (summary.dataset.state === state) return;
  summary.dataset.state = state;
  summary.textContent = SUMMARIES[state];
}

function showServices(states) {
  for (const item of document.querySelectorAll("[data-service]")) {
    const state = states[item.dataset.service] ?? "unreachable";
    item.dataset.state = state;
    item.querySelector(".state").textContent = STATES[state];
  }
}

async function refresh() {
  try {
    const answer = await fetch("/api/health", {
      cache: "no-store",
      signal: AbortSignal.timeout(ASK_LIMIT_MS),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { status, version, services, timestamp } = await answer.json();
    element("version").textContent = ` · version ${version}`;
    element("checked").textContent = `Checked at ${new Date(timestamp).toLocaleTimeString()}`;
    showSummary(status);
    showServices(services);
  } catch {
    showSummary("unreachable");
    showServices({});
  }
  setTimeout(refresh, REFRESH_MS);
}

showAddresses();
refresh();
