import { lazy, Route } from "preact-iso";
import type { ComponentType, JSX } from "preact";
import { Home } from "./pages/home.tsx";
import { NotFound } from "./pages/not-found.tsx";
import { signal, type Signal } from "@preact/signals";

/** A view whose code is loaded when it is first opened. If loading fails, rendering it throws. */
function later<Module>(load: () => Promise<Module>, name: keyof Module): ComponentType {
  return lazy(async () => {
    underWay.value++;
    try {
      // Each exports a component whose props are the parameters of its address.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await load())[name] as ComponentType;
    } catch (error) {
      return () => {
        throw error;
      };
    } finally {
      underWay.value--;
    }
  });
}

/** Views without sign-in, and those opened by a link with a secret. */
export const signedOutRoutes: JSX.Element[] = [
  <Route
    path="/sign-in"
    component={later(() => import("./pages/sign-in/sign-in.tsx"), "SignIn")}
  />,
  <Route path="/setup" component={later(() => import("./pages/setup/setup.tsx"), "Setup")} />,
  <Route
    path="/share"
    component={later(() => import("./pages/domains/share.tsx"), "SharedDomainPage")}
  />,
  <Route path="/reset" component={later(() => import("./pages/sign-in/reset.tsx"), "Reset")} />,
];

const inAccount: readonly (readonly [string, ComponentType])[] = [
  ["", later(() => import("./pages/accounts/account.tsx"), "AccountSettings")],
  ["/overview", later(() => import("./pages/overview/overview.tsx"), "Overview")],
  ["/animals", later(() => import("./pages/animals/animals.tsx"), "Animals")],
  ["/animals/:pet", later(() => import("./pages/animals/animal/animal-page.tsx"), "AnimalPage")],
  ["/categories", later(() => import("./pages/animals/categories.tsx"), "Categories")],
  ["/deleted", later(() => import("./pages/animals/deleted.tsx"), "DeletedAnimals")],
  ["/import", later(() => import("./pages/animals/import-animals.tsx"), "ImportAnimals")],
  ["/orders", later(() => import("./pages/orders/orders.tsx"), "Orders")],
  ["/enquiries", later(() => import("./pages/enquiries/enquiries.tsx"), "Enquiries")],
  ["/keys", later(() => import("./pages/keys/keys.tsx"), "Keys")],
  ["/webhooks", later(() => import("./pages/webhooks/webhooks.tsx"), "Webhooks")],
  ["/usage", later(() => import("./pages/usage/usage.tsx"), "Usage")],
  ["/activity", later(() => import("./pages/audit/audit.tsx"), "AuditLog")],
  ["/requests", later(() => import("./pages/requests/requests.tsx"), "RequestLog")],
  ["/people", later(() => import("./pages/members.tsx"), "People")],
  ["/projects", later(() => import("./pages/projects/projects.tsx"), "Projects")],
];

const inProject: readonly (readonly [string, ComponentType])[] = [
  ["", later(() => import("./pages/projects/project.tsx"), "ProjectDeploys")],
  ["/site", later(() => import("./pages/projects/site.tsx"), "ProjectSite")],
  ["/settings", later(() => import("./pages/projects/settings.tsx"), "ProjectSettings")],
  ["/domains", later(() => import("./pages/domains/domains.tsx"), "Domains")],
  ["/domains/:domain", later(() => import("./pages/domains/domain.tsx"), "DomainPage")],
];

/** Views for signed-in users. */
export const routes: JSX.Element[] = [
  <Route path="/" component={Home} />,
  <Route
    path="/profile"
    component={later(() => import("./pages/profile/profile.tsx"), "Profile")}
  />,
  <Route
    path="/accounts"
    component={later(() => import("./pages/accounts/accounts.tsx"), "Accounts")}
  />,
  <Route path="/system" component={later(() => import("./pages/system/system.tsx"), "System")} />,
  ...inAccount.map(([path, view]) => <Route path={`/accounts/:account${path}`} component={view} />),
  ...inProject.map(([path, view]) => <Route path={`/projects/:project${path}`} component={view} />),
  <Route default component={NotFound} />,
];

/** How many views are being loaded. */
export const underWay: Signal<number> = signal(0);
